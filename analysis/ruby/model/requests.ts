// Request sources: Rails, Sinatra and Rack.

import type { AbstractValue } from '../../abstract-value.ts'
import { returnsUntainted } from '../../engine/model-helpers.ts'
import { tainted } from '../../engine/values/values.ts'
import type { CallModel, LanguageModel, SourceModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { isWeb, requestSource, words } from './values.ts'

const REQUEST = 'request()'

const ofRequest = (methods: string): string[] =>
  words(methods).flatMap((method) => [`${REQUEST}.${method}`, `request.${method}`])

export const sources: readonly SourceModel[] = []

const whereWeb =
  (value: (event: CallEvent) => AbstractValue): CallModel['returns'] =>
  (event) =>
    event.receiver === null && isWeb(event) ? value(event) : undefined

export const requestCalls: readonly CallModel[] = [
  {
    name: 'params',
    returns: whereWeb((event) => ({ ...requestSource(event), type: 'Parameters' })),
  },
  { name: 'cookies', returns: whereWeb((event) => ({ ...requestSource(event), type: 'Cookies' })) },
  { name: ['session', 'flash'], returns: whereWeb(() => ({ taints: [], type: 'Session' })) },
  { name: 'request', returns: whereWeb(() => ({ taints: [], name: 'request' })) },
  { name: 'env', returns: whereWeb((event) => rackEnvironment(event)) },
  { name: 'Rack.Request', returns: () => ({ taints: [], name: 'request' }) },
  {
    name: ofRequest(
      `params query_parameters request_parameters path_parameters GET POST raw_post body query_string fullpath path path_info
       original_url original_fullpath url headers user_agent referer referrer host server_name cookies env get_header
       filtered_parameters media_type content_type accept`,
    ),
    returns: requestSource,
  },
  {
    name: ofRequest(
      'ip remote_ip method request_method ssl? get? post? xhr? format session scheme port content_length local? base_url protocol session_options',
    ),
    returns: returnsUntainted(),
  },
  // Strong parameters keep the values.
  {
    name: words(
      '*.permit *.require *.permit! *.to_unsafe_h *.to_unsafe_hash *.fetch *.dig *.slice *.except *.expect *.values_at *.with_indifferent_access *.to_h *.symbolize_keys *.deep_symbolize_keys',
    ),
    returns: (event) => (event.receiver?.type === 'Parameters' ? partOf(event) : undefined),
  },
  // Uploads: the client chooses the name.
  { name: '*.original_filename', returns: requestSource },
]

function partOf({ receiver, method, source, expr, path }: CallEvent): AbstractValue | undefined {
  if (!receiver) return undefined
  const isHash = /^(?:permit!?|require|slice|except|expect|to_.*|with_.*|.*symbolize_keys)$/.test(method)
  const label = source(expr.at).replace(/\s+/g, ' ').slice(0, 60)
  return { ...tainted('request', label, expr.at, path), ...(isHash && { type: 'Parameters' }) }
}

/** The entries of a Rack environment that the client controls. */
const CLIENT_KEYS =
  'QUERY_STRING PATH_INFO REQUEST_URI REQUEST_PATH HTTP_HOST HTTP_REFERER HTTP_USER_AGENT HTTP_COOKIE HTTP_X_FORWARDED_FOR HTTP_X_FORWARDED_HOST HTTP_ORIGIN HTTP_AUTHORIZATION rack.input rack.request.form_hash rack.request.query_hash'

function rackEnvironment(
  event: Pick<CallEvent, 'path'> & { readonly expr: { readonly at: CallEvent['expr']['at'] } },
) {
  const fields = words(CLIENT_KEYS).map((key): [string, AbstractValue] => [
    key,
    tainted('request', `env["${key}"]`, event.expr.at, event.path),
  ])
  return { taints: [], fields: new Map(fields) }
}

/** `def call(env)` of a Rack application. */
export const parameter: LanguageModel['parameter'] = ({ target }, _index, definition, where, registered) => {
  if (target.kind !== 'name') return undefined
  if (definition.name === 'call' && target.name === 'env')
    return rackEnvironment({ path: where.path, expr: { at: target.at } })
  if (target.name === '&block') return { taints: [] }
  // Captures of a Sinatra route.
  const isRoute = registered?.route && /^(?:get|post|put|patch|delete)$/.test(registered.by) && isWeb(where)
  return isRoute ? tainted('request', target.name, target.at, where.path) : undefined
}
