// Request sources: superglobals and the request objects of the frameworks.

import type { AbstractValue } from '../../abstract-value.ts'
import { propagates } from '../../engine/model-helpers.ts'
import { tainted } from '../../engine/values/values.ts'
import type { CallModel, LanguageModel, SourceModel } from '../../language-model.ts'
import type { CallEvent, EventContext } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { on, requestSource, words } from './values.ts'

/** The server variables that the client controls. */
const CLIENT_VARIABLES =
  'QUERY_STRING REQUEST_URI PHP_SELF PATH_INFO ORIG_PATH_INFO PHP_AUTH_USER PHP_AUTH_PW HTTP_REFERER HTTP_USER_AGENT HTTP_COOKIE HTTP_X_FORWARDED_FOR HTTP_CLIENT_IP HTTP_X_FORWARDED_HOST HTTP_ORIGIN HTTP_X_ORIGINAL_URL HTTP_X_REWRITE_URL'

export const sources: readonly SourceModel[] = [
  ...['$_GET', '$_POST', '$_REQUEST', '$_COOKIE'].map((name) => ({ name, origin: 'request' as const })),
  ...words(CLIENT_VARIABLES).map((key) => ({ name: `$_SERVER.${key}`, origin: 'request' as const })),
  ...['name', 'type', 'full_path'].map((key) => ({ name: `$_FILES.${key}`, origin: 'request' as const })),
]

const REQUESTS = 'Request ServerRequestInterface FormRequest IncomingRequest'

export const requestCalls: readonly CallModel[] = [
  {
    name: [
      // Laravel.
      ...on(
        REQUESTS,
        'input get query post all only except json cookie header string str old fullUrl url path segment',
      ),
      ...on(REQUESTS, 'getContent getQueryString getRequestUri getPathInfo getUri'),
      // PSR-7 and CodeIgniter.
      ...on(
        REQUESTS,
        'getQueryParams getParsedBody getCookieParams getHeader getHeaderLine getBody getAttribute',
      ),
      ...on(REQUESTS, 'getVar getGet getPost getPostGet getCookie getJSON getRawInput getParam getParams'),
    ],
    returns: (event) => (event.receiver?.taints.length ? undefined : requestSource(event)),
  },
  {
    name: on(REQUESTS, 'integer boolean float date enum validated safe validate'),
    returns: () => ({ taints: [] }),
  },
  {
    name: on(
      REQUESTS,
      'user session route ip method isMethod has filled missing wantsJson ajax expectsJson bearerToken is hasFile getMethod getClientIp getSession isXmlHttpRequest getLocale merge flash fingerprint',
    ),
    returns: () => ({ taints: [] }),
  },
  { name: on(REQUESTS, 'file getUploadedFiles'), returns: () => ({ taints: [], type: 'UploadedFile' }) },
  {
    name: on(
      'UploadedFile UploadedFileInterface',
      'getClientOriginalName getClientOriginalExtension getClientFilename getClientMimeType',
    ),
    returns: requestSource,
  },
  {
    name: on('UploadedFile', 'extension guessExtension hashName getSize store'),
    returns: () => ({ taints: [] }),
  },
  // Symfony: bags of parameters.
  { name: on('InputBag HeaderBag', 'get all getString'), returns: requestSource },
  {
    name: on('ParameterBag InputBag', 'getInt getBoolean getDigits getAlpha getAlnum getEnum'),
    returns: () => ({ taints: [] }),
  },
  { name: on('InputBag', 'filter'), returns: requestSource },
  // Laravel's helpers.
  { name: ['request'], returns: helper },
  {
    name: ['Input.get', 'Request.get', 'Request.input', 'Request.query', 'Input.all', 'Request.all'],
    returns: requestSource,
  },
  { name: ['Request.createFromGlobals'], returns: () => ({ taints: [], ...requestFields() }) },
  // The raw body.
  { name: ['file_get_contents', 'fopen', 'file'], returns: fromInput },
  { name: ['getallheaders', 'apache_request_headers'], returns: requestSource },
  { name: ['filter_input'], returns: filtered },
  { name: ['get_query_var', 'wp_unslash', 'stripslashes', 'stripslashes_deep'], returns: propagates(0) },
]

function helper(event: CallEvent): AbstractValue {
  return event.args.length > 0 ? requestSource(event) : { taints: [], ...requestFields() }
}

/** The request of Symfony and Laravel has parameter bags. */
function requestFields(): Pick<AbstractValue, 'type' | 'fields'> {
  const bag: AbstractValue = { taints: [], type: 'InputBag' }
  return {
    type: 'Request',
    fields: new Map<string, AbstractValue>([
      ['query', bag],
      ['request', bag],
      ['cookies', bag],
      ['attributes', { taints: [], type: 'ParameterBag' }],
      ['headers', { taints: [], type: 'HeaderBag' }],
      ['files', { taints: [], fields: new Map() }],
    ]),
  }
}

function fromInput(event: CallEvent): AbstractValue | undefined {
  return event.arg(0)?.value.known === 'php://input' ? requestSource(event) : undefined
}

/** Filters that allow only numbers and similar values. */
export const VALIDATING = /^FILTER_VALIDATE_(INT|FLOAT|BOOL|BOOLEAN|IP|MAC)$|^FILTER_SANITIZE_NUMBER/

export function filtered(event: CallEvent): AbstractValue {
  const filter =
    event.args.map(({ value }) => value.name ?? '').find((name) => name.startsWith('FILTER_')) ?? ''
  if (VALIDATING.test(filter)) return { taints: [] }
  const brought = requestSource(event)
  const isEscaped = /SPECIAL_CHARS|FILTER_SANITIZE_STRING|ENCODED/.test(filter)
  return isEscaped
    ? { taints: brought.taints.map((taint) => ({ ...taint, sanitizedFor: new Set(['html'] as const) })) }
    : brought
}

const NUMBERS = /^(int|float|bool|DateTime\w*|Carbon|Uuid\w*|UuidInterface|BackedEnum)$/
const TEXTS = /^(string|array|mixed|iterable|object|callable|self|static|null)$/

/** The value of a parameter, by its type and the annotations of the function. */
export const requestParameter: LanguageModel['parameter'] = ({ target, type }, _index, definition, where) => {
  const name = target.kind === 'name' ? target.name : 'argument'
  if (type !== null) {
    if (NUMBERS.test(type)) return { taints: [], type }
    if (
      /^(Request|ServerRequestInterface|FormRequest|IncomingRequest)$|Request$/.test(type) &&
      !/Client|Curl|HttpRequest$/.test(type)
    )
      return requestOf(name, target.at, where)
    if (!TEXTS.test(type)) return { taints: [], type }
  }
  const isRoute = definition.annotations.some((mark) =>
    /^(Route|Get|Post|Put|Patch|Delete|Any)$/.test(mark.name),
  )
  return isRoute ? tainted('request', `$${name}`, target.at, where.path) : undefined
}

/** A Laravel request also has the sent fields as members. */
function requestOf(name: string, at: SourceRange, where: EventContext): AbstractValue {
  const request: AbstractValue = { taints: [], ...requestFields() }
  if (!where.imports(/^Illuminate/)) return request
  return { ...request, others: tainted('request', `$${name}`, at, where.path) }
}
