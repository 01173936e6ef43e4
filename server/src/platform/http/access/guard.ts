// Checks before the body is read: address, rate limit, origin, caller, maintenance and suspension.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../../kernel/errors.ts'
import type { KeyId } from '../../../kernel/ids.ts'
import type { App } from '../../app.ts'
import { kycRequired, maintenanceMode } from '../../settings/platform-settings.ts'
import { type Actor, type KeyLimits, lacksStaffFactor, type OrgToken } from '../actor.ts'
import type { BucketName } from '../rate/lease-store.ts'
import { addRateHeaders, type RateLimiter } from '../rate/rate.ts'
import type { RateVerdict } from '../rate/window.ts'
import { errorFormatOf } from '../reply/error-format.ts'
import type { ResponseHead } from '../reply/headers.ts'
import { canDecode, isEncoded, REQUEST_ENCODINGS } from '../request/decode-body.ts'
import { isOrgToken, isRail, isUnsafe, paramNames, type Route, takesEncodedBody } from '../route.ts'
import { admit, type Credentials, type Gate, requireSameOrigin } from './access.ts'
import { clientAddress } from './client-address.ts'
import { createCredentialReader } from './credentials.ts'

/** The result of the guard: the client address, the caller, and the response head with its rate headers. */
export type Admission = {
  address: string
  actor: Actor | null
  /** The caller of a route for tokens of organisations. */
  token: OrgToken | null
  head: ResponseHead
}
/** Admits a request, or throws the error. */
export type AdmitRequest = (request: FastifyRequest, head: ResponseHead) => Admission | Promise<Admission>

/** Matches a media type, with UTF-8 as the only charset. Some clients send a trailing semicolon. */
const typed = (type: string): RegExp =>
  new RegExp(`^${type}\\s*(;\\s*(charset\\s*=\\s*"?utf-?8"?\\s*)?)*$`, 'i')
const FORM_TYPE = typed('application/x-www-form-urlencoded')
const JSON_TYPE = typed('application/json')
const SCIM_TYPE = typed('application/(scim\\+)?json')

function bodyTypeOf({ form, path }: Route): RegExp {
  if (form) return FORM_TYPE
  return errorFormatOf(path) === 'scim' ? SCIM_TYPE : JSON_TYPE
}

export function createGuard(app: App, gate: Gate, limiter: RateLimiter) {
  return { guard, countAgainst: countRequest, addressOf }

  /** Prepares the checks of one route. They are synchronous unless a rate lease or the caller must be fetched. */
  function guard(route: Route): AdmitRequest {
    const { access } = route
    const person = !isRail(access) && !(typeof access === 'object' && 'machine' in access)
    const fromOurPages = person && isUnsafe(route.method) && !route.fromOtherSites
    const hasParams = paramNames(route.path).length > 0
    const bodyType = bodyTypeOf(route)
    const credentialsOf = createCredentialReader(route.path)

    return (request, head) => {
      const address = addressOf(request)
      const counted = route.rate ? countRequest(route.rate, address, head) : undefined
      return counted ? counted.then(() => check(request, head, address)) : check(request, head, address)
    }

    function check(
      request: FastifyRequest,
      head: ResponseHead,
      address: string,
    ): Admission | Promise<Admission> {
      const { headers } = request
      // The router accepts empty parameters.
      if (hasParams && Object.values(request.params as object).includes('')) throw new ApiError('not_found')
      if (route.body) requireType(request, bodyType)
      if (route.body || isRail(access)) requireEncoding(request, head, takesEncodedBody(route))
      const credentials = credentialsOf(request)
      if (fromOurPages && credentials.authorization === undefined)
        requireSameOrigin(headers, app.config.baseUrl)
      if (isOrgToken(access)) return identifyToken(head, address, credentials)
      if (access !== 'none') return identify(request, head, address, credentials)
      refuseWhenClosed(route, null)
      return { address, actor: null, token: null, head }
    }

    async function identifyToken(
      head: ResponseHead,
      address: string,
      { authorization }: Credentials,
    ): Promise<Admission> {
      refuseWhenClosed(route, null)
      const token = await gate.authenticateToken(app, authorization)
      await countAgainstKey(() => app.keyRates.countRequest(token.tokenId, [tokenRate(token)]))
      return { address, actor: null, token, head }
    }

    async function identify(
      request: FastifyRequest,
      head: ResponseHead,
      address: string,
      credentials: Credentials,
    ): Promise<Admission> {
      const { headers, params } = request
      const actor = await admit(app, gate, route, {
        credentials,
        address,
        internalSecret: single(headers['x-internal-secret']),
        params: params as Record<string, string>,
      })
      if (person) refuseWhenClosed(route, actor)
      if (actor?.keyLimits) await limitKey(route, actor.keyId, actor.keyLimits)
      return { address, actor, token: null, head }
    }
  }

  async function limitKey(route: Route, keyId: KeyId | null, { rates }: KeyLimits): Promise<void> {
    if (keyId === null || rates.length === 0) return
    await countAgainstKey(async () => {
      await app.keyRates.countRequest(keyId, rates)
      if (route.paid) await app.keyRates.requireTokens(keyId, rates)
    })
  }

  async function countAgainstKey(count: () => Promise<void>): Promise<void> {
    try {
      await count()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'key_rate_limited') app.metrics.rateLimited('key')
      throw error
    }
  }

  function addressOf(request: FastifyRequest): string {
    return clientAddress(
      app.config.trustProxy,
      request.raw.socket.remoteAddress ?? '',
      single(request.headers['x-forwarded-for']),
    )
  }

  /** Counts one request. The rate headers are set on rejected requests too. */
  function countRequest(bucket: BucketName, address: string, head: ResponseHead): Promise<void> | undefined {
    const checked = limiter.check(bucket, address)
    if (checked instanceof Promise) return checked.then((verdict) => applyVerdict(bucket, verdict, head))
    applyVerdict(bucket, checked, head)
    return undefined
  }

  function applyVerdict(bucket: BucketName, verdict: RateVerdict, head: ResponseHead): void {
    addRateHeaders(head, verdict)
    if (verdict.allowed) return
    app.metrics.rateLimited(bucket)
    throw new ApiError('rate_limited', { retryAfter: Math.max(1, verdict.resetSeconds) })
  }

  function refuseWhenClosed(route: Route, actor: Actor | null): void {
    // Staff may also set up their second factor during maintenance.
    const isStaff = actor !== null && (actor.staffRole !== null || lacksStaffFactor(actor))
    const isMaintenance = !isStaff && app.settings.get(maintenanceMode)
    const changes = isUnsafe(route.method) && route.duringMaintenance === null
    if (isMaintenance && (changes || route.paid)) throw new ApiError('maintenance')
    if (!route.paid || !actor) return
    const charge = gate.chargeability(actor.org, {
      isMaintenance,
      isKycRequired: app.settings.get(kycRequired),
    })
    if (!charge.chargeable) throw new ApiError(charge.refusal)
  }
}

// Directory services send one request per change. A first synchronisation is slowed down and continues after the minute.
const TOKEN_REQUESTS_PER_MINUTE = 600

const tokenRate = ({ tokenId }: OrgToken) => ({
  keyId: tokenId,
  requestsPerMinute: TOKEN_REQUESTS_PER_MINUTE,
  tokensPerMinute: null,
})

function hasBody({ 'content-length': length, 'transfer-encoding': transfer }: IncomingHttpHeaders): boolean {
  return transfer !== undefined || (length !== undefined && length !== '0')
}

/** A body must have the expected Content-Type, because other websites can post forms and plain text. */
function requireType({ headers }: FastifyRequest, wanted: RegExp): void {
  const { 'content-type': type } = headers
  if (!hasBody(headers)) return
  if (type === undefined || !wanted.test(type)) throw new ApiError('unsupported_media_type')
}

/** Webhooks are signed over the bytes as sent, and browsers do not encode forms: both must come without an encoding. */
function requireEncoding({ headers }: FastifyRequest, head: ResponseHead, takesEncoded: boolean): void {
  const { 'content-encoding': encoding } = headers
  if (!isEncoded(encoding) || !hasBody(headers) || (takesEncoded && canDecode(encoding))) return
  const accepted = takesEncoded ? REQUEST_ENCODINGS : 'identity'
  head.set('accept-encoding', accepted)
  throw new ApiError('unsupported_media_type', {
    error: takesEncoded
      ? `The body has a Content-Encoding that is not accepted; use one of ${accepted}, or none.`
      : 'The body of this operation must not be encoded; send it without Content-Encoding.',
  })
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value
