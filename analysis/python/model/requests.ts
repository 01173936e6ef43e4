// Request sources of the Python web frameworks.

import { UNTAINTED } from '../../abstract-value.ts'
import { returnsSource } from '../../engine/model-helpers.ts'
import { sanitize } from '../../engine/values/values.ts'
import type { CallModel, SourceModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { HANDLER_REQUEST, HANDLER_REQUEST_FIELDS } from '../lowering/definitions.ts'

const FLASK = [
  'args',
  'form',
  'values',
  'json',
  'data',
  'cookies',
  'headers',
  'files',
  'query_string',
  'full_path',
  'path',
  'url',
  'referrer',
  'user_agent',
  'view_args',
  'stream',
  'environ',
  'host',
  'base_url',
  'authorization',
]
const BOTTLE = [
  'query',
  'forms',
  'params',
  'json',
  'body',
  'cookies',
  'headers',
  'files',
  'GET',
  'POST',
  'query_string',
  'path',
]
const HANDED = [
  'GET',
  'POST',
  'FILES',
  'COOKIES',
  'META',
  'body',
  'data',
  'query_params',
  'headers',
  'args',
  'form',
  'json',
  'cookies',
  'path_params',
  'query',
  'match_info',
  'params',
  'matchdict',
  'files',
  'query_string',
  'rel_url',
  'arguments',
  'json_body',
  'body_arguments',
  'query_arguments',
  'path',
  'path_info',
  'url',
  'raw_post_data',
  'content',
  'uri',
  'full_path',
  'matched_path',
]

export const requestSources: readonly SourceModel[] = [
  ...FLASK.map((name): SourceModel => ({ name: `flask.request.${name}`, origin: 'request' })),
  ...FLASK.map((name): SourceModel => ({ name: `quart.request.${name}`, origin: 'request' })),
  ...BOTTLE.map((name): SourceModel => ({ name: `bottle.request.${name}`, origin: 'request' })),
  ...HANDED.map((name): SourceModel => ({ name: `HttpRequest#${name}`, origin: 'request' })),
  // These names are unambiguous.
  ...['GET', 'POST', 'COOKIES', 'query_params'].map(
    (name): SourceModel => ({ name: `*.${name}`, origin: 'request' }),
  ),
  ...HANDLER_REQUEST_FIELDS.map(
    (name): SourceModel => ({ name: `${HANDLER_REQUEST}.${name}`, origin: 'request' }),
  ),
  { name: '*.cleaned_data', origin: 'request' },
  { name: 'sys.argv', origin: 'environment' },
  { name: 'os.environ', origin: 'environment' },
]

const ASKED = [
  'get_json',
  'get_data',
  'json',
  'text',
  'read',
  'post',
  'form',
  'body',
  'get_full_path',
  'build_absolute_uri',
  'getlist',
  'get_signed_cookie',
  'multipart',
  'get_raw_uri',
]

export const requestCalls: readonly CallModel[] = [
  ...['flask', 'quart', 'bottle'].flatMap((module) =>
    ASKED.map((method): CallModel => ({ name: `${module}.request.${method}`, returns: fromRequest })),
  ),
  {
    name: ['flask.request.get_cookie', 'bottle.request.get_cookie', 'bottle.request.get_header'],
    returns: fromRequest,
  },
  { name: ASKED.map((method) => `HttpRequest#${method}`), returns: fromRequest },
  {
    name: [
      '*.get_argument',
      '*.get_arguments',
      '*.get_query_argument',
      '*.get_query_arguments',
      '*.get_body_argument',
      '*.get_body_arguments',
      '*.get_cookie',
      '*.get_secure_cookie',
    ],
    returns: ofTornado,
  },
  // A serializer returns only declared fields, which are still tainted.
  { name: 'flask.request.args.get', returns: typedGet },
  {
    name: ['flask.request.form.get', 'flask.request.values.get', 'flask.request.cookies.get'],
    returns: typedGet,
  },
]

function fromRequest(event: CallEvent) {
  return returnsSource('request')(event)
}

/** `request.args.get('page', type=int)`. */
function typedGet(event: CallEvent) {
  const type = event.option('type')
  if (type?.name !== undefined && /^(?:int|float|bool|uuid\.UUID)$/.test(type.name)) return UNTAINTED
  return returnsSource('request')(event)
}

function ofTornado(event: CallEvent) {
  const isHandler =
    event.imports(/^tornado/) || /\bself$/.test(event.source(event.expr.callee.at).replace(/\.\w+$/, ''))
  if (!isHandler) return undefined
  const brought = returnsSource('request')(event)
  return event.method === 'get_secure_cookie' && brought ? sanitize(brought, ['all']) : brought
}
