// Checks and completes a request before its tokens are counted. Only large requests and those with URLs of images need more
// than a look at their parts.
import { ApiError } from '../kernel/errors.ts'
import { CallRecord, costOf, type ModelRoute, priceOf, routeToModel } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { atWallet, readBalances } from '../wallet/wallet.ts'
import type { Caller } from './model-call.ts'
import { callerSignal } from './stream/stream-output.ts'
import { fetchImages, imageUrlsIn } from './upstream/fetch-images.ts'

type Fields = Record<string, unknown>

/** Counting the tokens of a longer request takes long enough to look at the wallet first. */
const LARGE_BYTES = 256 * 1024
const PER_TOKENS = 1_000_000

type PreparedCall = {
  readonly endpoint: string
  readonly model: string
  /** The size of the prompt, where it is longer than the request. */
  readonly promptBytes?: number
}

/** The same request with its images inline. Throws for a model that the caller cannot use, and for an empty wallet. */
export async function prepareRequest<T extends Fields>(
  app: App,
  { actor, request, once }: Pick<Caller, 'actor' | 'request' | 'once'>,
  body: T,
  { endpoint, model, promptBytes = 0 }: PreparedCall,
): Promise<T> {
  const urls = imageUrlsIn(body)
  const bytes = Math.max(request.raw?.length ?? 0, promptBytes)
  if (urls.size === 0 && bytes <= LARGE_BYTES) return body
  const route = routeToModel(app, actor, model)
  try {
    await requireFunds(app, actor, route)
    return urls.size === 0 ? body : await fetchImages(app, body, urls, callerSignal(once, request.gone))
  } catch (error) {
    recordRefusal(app, { actor, request, endpoint, route }, error)
    throw error
  }
}

type RefusedCall = Pick<Caller, 'actor' | 'request'> & {
  readonly endpoint: string
  readonly route: ModelRoute
}

/** The request log has every call that is refused after its model was chosen. */
function recordRefusal(app: App, { actor, request, endpoint, route }: RefusedCall, error: unknown): void {
  const { orgId, userId, keyId } = actor
  const { modelId: model, provider } = route
  const call = { orgId, userId, keyId, route: endpoint, model, provider, requestId: request.id }
  new CallRecord(app, call).fail(error)
}

/** Throws unless the wallet or the allowance has anything left. The hold checks the amount later. */
async function requireFunds(app: App, { orgId, org }: Actor, route: ModelRoute): Promise<void> {
  const price = priceOf(app, route.lane, org.currency, route.classPrices)
  if (costOf(price, PER_TOKENS, PER_TOKENS) === 0n) return
  const { availableMinor, includedRemainingMinor } = await atWallet(app.db, orgId, (sql) =>
    readBalances(sql, orgId),
  )
  if (availableMinor + includedRemainingMinor > 0n) return
  throw new ApiError('insufficient_funds', {
    error: `The wallet is empty. Top up at ${app.config.baseUrl}/app/wallet.`,
    requiredMinor: 1n,
    availableMinor: 0n,
  })
}
