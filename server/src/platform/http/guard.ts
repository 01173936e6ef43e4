// Before a body is read: address, rate, origin, caller, and whether the house is open for them.
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../app.ts'
import { kycRequired, maintenanceMode } from '../settings/platform-settings.ts'
import { admit, type Gate } from './access.ts'
import type { Actor } from './actor.ts'
import { clientAddress } from './client-address.ts'
import type { AnswerHead } from './headers.ts'
import { refuseOtherOrigins } from './origin.ts'
import { type BucketName, type RateLimiter, rateHeaders, type Verdict } from './rate/rate.ts'
import { isRail, isUnsafe, paramNames, type Route } from './route.ts'

/** What the guard learned about a request, for the handler that follows. */
export type Passage = { address: string; actor: Actor | null; head: AnswerHead }
/** Lets a request pass, or throws the refusal. */
export type Pass = (request: FastifyRequest, head: AnswerHead) => Passage | Promise<Passage>

/** A type, in UTF-8 where it names a charset. An empty parameter says nothing: some clients end with a semicolon. */
const typed = (type: string): RegExp =>
  new RegExp(`^${type}\\s*(;\\s*(charset\\s*=\\s*"?utf-?8"?\\s*)?)*$`, 'i')
const FORM_TYPE = typed('application/x-www-form-urlencoded')
const JSON_TYPE = typed('application/json')

export function createGuard(app: App, gate: Gate, limiter: RateLimiter) {
  return { guard, countAgainst, addressOf }

  /** Prepares one route once. A request waits only where something is asked: for a lease, or who is calling. */
  function guard(route: Route): Pass {
    const { access } = route
    const person = !isRail(access) && !(typeof access === 'object' && 'machine' in access)
    const fromOurPages = person && isUnsafe(route.method) && !route.fromOtherSites
    const hasParams = paramNames(route.path).length > 0

    return (request, head) => {
      const address = addressOf(request)
      const counted = route.rate ? countAgainst(route.rate, address, head) : undefined
      return counted ? counted.then(() => check(request, head, address)) : check(request, head, address)
    }

    function check(request: FastifyRequest, head: AnswerHead, address: string): Passage | Promise<Passage> {
      const { headers } = request
      // The router takes nothing for a parameter as well.
      if (hasParams && Object.values(request.params as object).includes('')) throw new ApiError('not_found')
      if (route.body) requireType(request, route.form ? FORM_TYPE : JSON_TYPE)
      if (fromOurPages && headers.authorization === undefined) refuseOtherOrigins(headers, app.config.baseUrl)
      if (access !== 'none') return identify(request, head, address)
      refuseWhenClosed(route, null)
      return { address, actor: null, head }
    }

    async function identify(request: FastifyRequest, head: AnswerHead, address: string): Promise<Passage> {
      const { headers, params } = request
      const actor = await admit(app, gate, access, {
        credentials: { authorization: headers.authorization, cookie: headers.cookie },
        internalSecret: single(headers['x-internal-secret']),
        params: params as Record<string, string>,
      })
      if (person) refuseWhenClosed(route, actor)
      return { address, actor, head }
    }
  }

  function addressOf(request: FastifyRequest): string {
    return clientAddress(
      app.config.trustProxy,
      request.raw.socket.remoteAddress ?? '',
      single(request.headers['x-forwarded-for']),
    )
  }

  /** Counts one request; its headers tell the client where it stands, also when it is refused. */
  function countAgainst(bucket: BucketName, address: string, head: AnswerHead): Promise<void> | undefined {
    const checked = limiter.check(bucket, address)
    if (checked instanceof Promise) return checked.then((verdict) => obey(bucket, verdict, head))
    obey(bucket, checked, head)
    return undefined
  }

  function obey(bucket: BucketName, verdict: Verdict, head: AnswerHead): void {
    const headers = rateHeaders(verdict)
    for (const name in headers) head.add(name, headers[name] ?? '')
    if (verdict.allowed) return
    app.metrics.rateLimited(bucket)
    throw new ApiError('rate_limited', { retryAfter: Math.max(1, verdict.resetSeconds) })
  }

  function refuseWhenClosed(route: Route, actor: Actor | null): void {
    const changes = route.paid || (isUnsafe(route.method) && route.duringMaintenance === null)
    if (changes && !actor?.staffRole && app.settings.get(maintenanceMode)) throw new ApiError('maintenance')
    if (!route.paid || !actor) return
    if (actor.org.suspended) throw new ApiError('org_suspended')
    const business = actor.org.type !== 'individual' || actor.org.tier !== 'individual'
    if (business && actor.org.kycStatus !== 'verified' && app.settings.get(kycRequired))
      throw new ApiError('kyc_required')
  }
}

/** A body must say what it is: a form or a text of another site is not JSON. An absent body says nothing. */
function requireType(request: FastifyRequest, wanted: RegExp): void {
  const {
    'content-type': type,
    'content-encoding': encoding,
    'content-length': length,
    'transfer-encoding': transfer,
  } = request.headers
  const hasBody = transfer !== undefined || (length !== undefined && length !== '0')
  if (!hasBody) return
  if (type === undefined || !wanted.test(type)) throw new ApiError('unsupported_media_type')
  if (encoding !== undefined && encoding !== 'identity') throw new ApiError('unsupported_media_type')
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value
