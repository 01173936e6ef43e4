// Before a body is read: address, rate, origin, caller, and whether the house is open for them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../app.ts'
import { kycRequired, maintenanceMode } from '../settings/platform-settings.ts'
import { admit, type Gate } from './access.ts'
import type { Actor } from './actor.ts'
import { clientAddress } from './client-address.ts'
import { refuseOtherOrigins } from './origin.ts'
import { type BucketName, type RateLimiter, rateHeaders } from './rate/rate.ts'
import { isRail, isUnsafe, type Route } from './route.ts'

/** What the guard learned about a request, for the handler that follows. */
export type Passage = { address: string; actor: Actor | null }

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i

export function createGuard(app: App, gate: Gate, limiter: RateLimiter) {
  return { guard, countAgainst, addressOf }

  async function guard(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<Passage> {
    const address = addressOf(request)
    if (route.rate) await countAgainst(route.rate, address, reply)
    // The router takes nothing for a parameter as well.
    if (Object.values(request.params as Record<string, string>).includes('')) throw new ApiError('not_found')
    if (route.body) requireJson(request)

    const { headers } = request
    const person = !isRail(route.access) && !(typeof route.access === 'object' && 'machine' in route.access)
    if (person && isUnsafe(route.method) && !route.fromOtherSites && headers.authorization === undefined)
      refuseOtherOrigins(headers, app.config.baseUrl)

    const actor = await admit(app, gate, route.access, {
      credentials: { authorization: headers.authorization, cookie: headers.cookie },
      internalSecret: single(headers['x-internal-secret']),
      params: request.params as Record<string, string>,
    })
    if (person) refuseWhenClosed(route, actor)
    return { address, actor }
  }

  function addressOf(request: FastifyRequest): string {
    return clientAddress(
      app.config.trustProxy,
      request.raw.socket.remoteAddress ?? '',
      single(request.headers['x-forwarded-for']),
    )
  }

  /** Counts one request; its headers tell the client where it stands, also when it is refused. */
  async function countAgainst(bucket: BucketName, address: string, reply: FastifyReply): Promise<void> {
    const checked = limiter.check(bucket, address)
    const verdict = checked instanceof Promise ? await checked : checked
    reply.headers(rateHeaders(verdict))
    if (verdict.allowed) return
    app.metrics.rateLimited(bucket)
    throw new ApiError('rate_limited', { retryAfter: Math.max(1, verdict.resetSeconds) })
  }

  function refuseWhenClosed(route: Route, actor: Actor | null): void {
    const changes = route.paid || (isUnsafe(route.method) && !route.duringMaintenance)
    if (changes && !actor?.staffRole && app.settings.get(maintenanceMode)) throw new ApiError('maintenance')
    if (!route.paid || !actor) return
    if (actor.org.suspended) throw new ApiError('org_suspended')
    const business = actor.org.type !== 'individual'
    if (business && actor.org.kycStatus !== 'verified' && app.settings.get(kycRequired))
      throw new ApiError('kyc_required')
  }
}

/** A body must say that it is JSON: a form or a text of another site would not. An absent body says nothing. */
function requireJson(request: FastifyRequest): void {
  const {
    'content-type': type,
    'content-encoding': encoding,
    'content-length': length,
    'transfer-encoding': transfer,
  } = request.headers
  const hasBody = transfer !== undefined || (length !== undefined && length !== '0')
  if (!hasBody) return
  if (type === undefined || !JSON_TYPE.test(type)) throw new ApiError('unsupported_media_type')
  if (encoding !== undefined && encoding !== 'identity') throw new ApiError('unsupported_media_type')
}

const single = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value
