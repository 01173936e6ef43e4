// The browsers of a person that receive notifications. Each is bound to its session and ends with it.
import { requireOpenSession } from '../identity/identity.ts'
import { ApiError, invalidFields } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import { egressRules, findHostProblem } from '../platform/egress/egress.ts'
import type { Actor } from '../platform/http/actor.ts'
import { sealedColumn } from '../platform/sealed-data.ts'
import { findKeyProblem } from './encrypt.ts'
import type { NewSubscription } from './schema.ts'
import * as sql from './sql.ts'
import { vapidKey } from './vapid.ts'

// One more replaces the oldest.
export const SUBSCRIPTIONS_MAX = 10
const CHANGES: AttemptLimit = { name: 'push.changes', most: 60, withinSeconds: 3_600 }

export const authContext = (id: sql.SubscriptionId): string => `push subscription ${id} auth`

export const sealedAuth = sealedColumn({
  name: 'push_subscriptions.auth_sealed',
  list: sql.listAuthTexts,
  replace: sql.replaceAuthTexts,
  contextOf: (id) => authContext(id as sql.SubscriptionId),
})

export async function listSubscriptions(app: App, actor: Actor) {
  const key = await vapidKey(app)
  const found = await app.db.tx('platform', (tx) => sql.listSubscriptions(tx, actor.userId))
  return { publicKey: key?.publicKey ?? null, subscriptions: found.map((each) => shown(each, actor)) }
}

/** Adds the browser, or replaces its kinds and language. */
export async function saveSubscription(app: App, actor: Actor, body: NewSubscription) {
  const key = await vapidKey(app)
  if (!key) throw new ApiError('not_found', { error: 'Push notifications are off on this server.' })
  const problem = await findHostProblem(body.endpoint, egressRules(app))
  if (problem) throw invalidFields({ path: 'endpoint', message: problem })
  const badKey = findKeyProblem(body.keys)
  if (badKey) throw invalidFields({ path: `keys.${badKey}`, message: 'must be a key of a push subscription' })
  const { userId, sessionId } = actor
  const id = newId('psh')
  const { endpoint, kinds, language, keys } = body
  const authSealed = app.secrets.seal(keys.auth, authContext(id))
  const added = {
    id,
    sessionId,
    endpoint,
    p256dh: keys.p256dh,
    authSealed,
    serverKey: key.publicKey,
    language,
  }
  return app.db.tx('platform', async (tx) => {
    await countChange(app, tx, userId)
    await requireOpenSession(tx, actor)
    await tx.lock(`push endpoint ${endpoint}`)
    await sql.deleteEndpoint(tx, endpoint)
    await sql.insertSubscription(tx, userId, { ...added, kinds })
    await sql.pruneSubscriptions(tx, userId, SUBSCRIPTIONS_MAX)
    return { subscription: shown({ ...added, kinds, createdAt: tx.now }, actor) }
  })
}

export async function removeSubscription(app: App, actor: Actor, id: string) {
  const isRemoved = await app.db.tx('platform', async (tx) => {
    await countChange(app, tx, actor.userId)
    return sql.deleteSubscription(tx, actor.userId, id)
  })
  if (!isRemoved) throw new ApiError('not_found')
  return { ok: true as const }
}

async function countChange(app: App, tx: Parameters<typeof countAttempt>[1], userId: string): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, tx, CHANGES, userId)
  if (!allowed)
    throw new ApiError('too_many_attempts', {
      error: 'Too many changes of push notifications. Wait for the time in Retry-After.',
      retryAfter,
    })
}

// The rest of the endpoint is a secret: it identifies the browser to its push service.
const shown = ({ id, endpoint, kinds, language, sessionId, createdAt }: sql.Subscription, actor: Actor) => ({
  id,
  host: new URL(endpoint).host,
  kinds,
  language,
  isThisSession: sessionId === actor.sessionId,
  createdAt,
})
