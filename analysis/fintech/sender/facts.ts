// Facts about a value in a webhook handler: its origin, and what it proves about the sender.

import type { Expr, FunctionDefinition } from '../../ir.ts'

/** Sources and kinds of values, as bits. */
export const TAG = {
  /** Sent by the caller. */
  request: 1,
  /** A header, query or path parameter, as opposed to the body. */
  header: 2,
  /** The request object itself. */
  root: 4,
  /** The address of the caller. */
  address: 8,
  secret: 16,
  config: 32,
  /** A code computed with a secret key. */
  mac: 64,
  /** A hash without a known key. */
  digest: 128,
  /** A response of the payment provider to our own query. */
  answer: 256,
  /** A random token in the URL that was issued for one payment. */
  token: 512,
} as const

export type Fact = {
  readonly tags: number
  /** The sender is authenticated if the value is true, or false. */
  readonly whenTrue: boolean
  readonly whenFalse: boolean
  /** The value is false only if no secret is configured. */
  readonly isSecretPresence?: boolean
  /** Constant text, with `\0` for unknown parts. */
  readonly text?: string
  readonly isFalsy?: boolean
  readonly isTruthy?: boolean
  readonly isLength?: boolean
  readonly definition?: FunctionDefinition
}

export const UNKNOWN: Fact = { tags: 0, whenTrue: false, whenFalse: false }

export const has = ({ tags }: Fact, tag: number): boolean => (tags & tag) !== 0
export const withTags = (tags: number): Fact => (tags === 0 ? UNKNOWN : { ...UNKNOWN, tags })
export const tagsOf = (facts: readonly Fact[]): number => facts.reduce((sum, { tags }) => sum | tags, 0)
export const PROVEN_IF_TRUE: Fact = { tags: 0, whenTrue: true, whenFalse: false }

const SECRET_NAME =
  /secret|verif_?hash|webhook_?(?:key|token|hash|pass)|sign(?:ing|ature)_?key|passphrase|pass_?key|(?:private|api|hash|hmac|merchant|server|auth|integrity)_?(?:key|token)|callback_?(?:key|token|pass)|hmac_?key|salt$/i
const SETTINGS =
  /^(?:env|environ|config|configs|settings|conf|cfg|options|constants|secrets|credentials|keys)$/i
const HEADERS =
  /^(?:headers?|META|query|params?|args|GET|rawHeaders|queryStringParameters|pathParameters|searchParams|nextUrl|url|QueryParams|query_params|path_params|match_info|cookies|Headers?|URL|getHeader|get_header|GetHeader|getParameter|headerLine|getHeaderLine|server|PathValue|Param|Query|pathParam|queryParam|bearerToken|env|headersAll|requestedUri|queryParameters|query_parameters|fetch_header)$/
const BODIES =
  /^(?:body|rawBody|raw_body|Body|data|json|form|POST|text|arrayBuffer|get_data|get_json|getContent|getBody|all|input|post|getReader|getInputStream|payload|validated|json_body|PostForm|ShouldBindJSON|BindJSON|Bind|BodyParser|GetRawData|FormValue|PostFormValue|raw_post|readAsString|request_parameters|rewind)$/
const ADDRESSES =
  /^(?:ip|ips|remoteAddress|remote_addr|RemoteAddr|REMOTE_ADDR|ClientIP|RealIP|IP|getRemoteAddr|getClientIp|clientIp|client_ip|remote_ip|getRemoteHost|x-forwarded-for|X-Forwarded-For|X-FORWARDED-FOR|HTTP_X_FORWARDED_FOR|HTTP_X_REAL_IP|HTTP_CLIENT_IP|cf-connecting-ip|CF-Connecting-IP|HTTP_CF_CONNECTING_IP|x-real-ip|X-Real-IP|X-Real-Ip|sourceIp)$/
const TOKENS = /token|secret|nonce/i

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)
export const isSettingsName = (name: string): boolean => SETTINGS.test(name)

/** The fact of `object.property`, also for entries and getters. */
export function memberFact(object: Fact, property: string): Fact {
  if (has(object, TAG.root)) return requestMember(property)
  if (has(object, TAG.request)) {
    let tags = object.tags
    if (ADDRESSES.test(property)) tags |= TAG.address
    if (has(object, TAG.header) && TOKENS.test(property)) tags |= TAG.token
    return withTags(tags)
  }
  if (object.whenTrue || object.whenFalse) return verdictMember(object, property)
  if (has(object, TAG.mac | TAG.answer)) return withTags(object.tags)
  const setting = isSettingsName(property) ? TAG.config : 0
  return withTags(object.tags | setting | (isSecretName(property) ? TAG.secret : 0))
}

function requestMember(property: string): Fact {
  if (ADDRESSES.test(property)) return withTags(TAG.request | TAG.address)
  if (HEADERS.test(property)) return withTags(TAG.request | TAG.header)
  if (BODIES.test(property)) return withTags(TAG.request)
  if (/^(?:user|session|auth|currentUser)$/i.test(property)) return UNKNOWN
  return withTags(TAG.root | TAG.request)
}

/** `result.valid` of `{ valid: true }`, and `result.error`, which is set only if the check failed. */
const verdictMember = (object: Fact, property: string): Fact =>
  /^(?:err|error|invalid|reason|message|response|failed)/i.test(property)
    ? { tags: 0, whenTrue: object.whenFalse, whenFalse: object.whenTrue }
    : object

/** The fact of a name that is not a variable of the handler. */
export function globalFact(name: string): Fact {
  if (/^\$?_(?:POST|REQUEST)$/.test(name)) return withTags(TAG.request)
  if (/^\$?_(?:GET|SERVER|COOKIE)$/.test(name)) return withTags(TAG.request | TAG.header)
  if (name === 'request' || name === 'req') return withTags(TAG.root | TAG.request)
  const tags = (isSecretName(name) ? TAG.secret : 0) | (isSettingsName(name) ? TAG.config : 0)
  return withTags(/^[A-Z][A-Z0-9_]+$/.test(name) ? tags | TAG.config : tags)
}

/** Whether an equal pair proves that the sender knows a secret or has an allowed address. */
export function provesIfEqual(left: Fact, right: Fact): boolean {
  if (left.isLength || right.isLength) return false
  return provesAgainst(left, right) || provesAgainst(right, left)
}

function provesAgainst(one: Fact, other: Fact): boolean {
  if (other.text !== undefined && !has(other, TAG.secret | TAG.config)) return has(one, TAG.address)
  if (has(one, TAG.mac) && !has(one, TAG.request))
    return has(other, TAG.request) || (other.tags === 0 && !other.isFalsy)
  if (has(one, TAG.request)) {
    if (has(one, TAG.address)) return true
    if (has(other, TAG.secret) && !has(other, TAG.request)) return true
    if (has(one, TAG.header) && has(other, TAG.config) && !has(other, TAG.request)) return true
    return has(one, TAG.token) && !other.isFalsy && !has(other, TAG.request)
  }
  return false
}

/** The name of an expression without its arguments: `crypto.createHmac.update`. */
export function dottedName(expr: Expr, depth = 0): string {
  if (depth > 12) return ''
  switch (expr.kind) {
    case 'name':
      return expr.name
    case 'member': {
      const object = dottedName(expr.object, depth + 1)
      return object === '' ? expr.property : `${object}.${expr.property}`
    }
    case 'call':
      return dottedName(expr.callee, depth + 1)
    case 'same':
      return dottedName(expr.value, depth + 1)
    case 'index':
      return dottedName(expr.object, depth + 1)
    default:
      return ''
  }
}

/** A value as a condition: a response of the provider, a found token, or the presence of a secret. */
export function asCondition(fact: Fact): Fact {
  if (has(fact, TAG.answer)) return { ...fact, whenTrue: true, whenFalse: true }
  if (has(fact, TAG.secret) && !has(fact, TAG.request | TAG.mac) && !fact.whenTrue && !fact.whenFalse)
    return { ...fact, whenFalse: true, isSecretPresence: true }
  return fact
}

/** The value itself, as opposed to its meaning as a condition. */
export const withoutPresence = (fact: Fact): Fact =>
  fact.isSecretPresence || has(fact, TAG.answer) ? withTags(fact.tags) : fact
