// Sources: requests of shelf, dart_frog and dart:io, links that open an app, and messages of a web view.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { returnsRequest } from '../../engine/model-helpers.ts'
import { isType } from '../../engine/name-patterns.ts'
import { tainted } from '../../engine/values/values.ts'
import type { CallModel, LanguageModel, SourceModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const request = (name: string): SourceModel => ({ name, origin: 'request' })

export const sources: readonly SourceModel[] = [
  ...['url', 'requestedUri', 'params', 'headers', 'headersAll', 'uri'].map((key) =>
    request(`Request#${key}`),
  ),
  ...['uri', 'requestedUri', 'headers', 'cookies'].map((key) => request(`HttpRequest#${key}`)),
  ...['pathParameters', 'uri', 'queryParameters', 'extra'].map((key) => request(`GoRouterState#${key}`)),
  request('JavaScriptMessage#message'),
  request('JavascriptMessage#message'),
  ...['hash', 'search', 'href'].map((key) => request(`window.location.${key}`)),
  request('Uri.base'),
]

const REQUEST: AbstractValue = { taints: [], type: 'HttpRequest' }

export const requestCalls: readonly CallModel[] = [
  {
    name: ['Request#readAsString', 'Request#body', 'Request#json', 'Request#formData', 'Request#read'],
    returns: returnsRequest(),
  },
  { name: 'RequestContext#request', returns: () => ({ taints: [], type: 'Request' }) },
  // The body of an `HttpRequest` is a stream of bytes.
  { name: ['utf8.decoder.bind', 'utf8.decodeStream'], returns: ofRequest },
  {
    name: '*.transform',
    returns: (event) => (isRequest(event.receiver) ? returnsRequest()(event) : undefined),
  },
  {
    name: ['HttpServer.bind', 'HttpServer.bindSecure'],
    returns: () => ({ taints: [], type: 'HttpServer', others: REQUEST }),
  },
  {
    name: [
      'getInitialLink',
      'getInitialUri',
      'AppLinks#getInitialLink',
      'AppLinks#getLatestLink',
      'getInitialAppLink',
    ],
    returns: returnsRequest(),
  },
]

const isRequest = (value: AbstractValue | null | undefined): boolean =>
  isType(value?.type, 'HttpRequest') || isType(value?.type, 'Request')

function ofRequest(event: CallEvent): AbstractValue | undefined {
  return isRequest(event.arg(0)?.value) ? returnsRequest()(event) : undefined
}

const REQUEST_TYPES =
  /^(?:Request|HttpRequest|RequestContext|GoRouterState|JavaScriptMessage|JavascriptMessage)$/
const TEXTS =
  /^(?:String|dynamic|Object|List<(?:String|dynamic)>|Map<String, ?(?:dynamic|String|Object\??)>)$/

/** A handler of shelf_router receives the request and the parts of the path. */
export const parameter: LanguageModel['parameter'] = (
  { target, type },
  index,
  definition,
  where,
  registered,
) => {
  if (target.kind !== 'name') return UNTAINTED
  if (type !== null && REQUEST_TYPES.test(type)) return { taints: [], type }
  const isListener = registered !== null && /\.listen$/.test(registered.by) && where.imports('dart:io')
  if (isListener && type === null && /^req/i.test(target.name)) return REQUEST
  const first = definition.parameters[0]?.type
  if (
    index > 0 &&
    first &&
    /^(?:Request|RequestContext)$/.test(first) &&
    (type === 'String' || type === null)
  )
    return tainted('request', target.name, target.at, where.path)
  if (type === null || TEXTS.test(type)) return undefined
  return { taints: [], type }
}
