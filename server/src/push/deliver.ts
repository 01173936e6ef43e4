// Sends a message to the browsers that are due. At least once: after a crash the same notification replaces itself by its tag.
import { findOpenSession } from '../identity/identity.ts'
import { present } from '../kernel/assert.ts'
import { after, before } from '../kernel/clock.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { Currency } from '../kernel/money.ts'
import { findMembership, findOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import { EgressError, egressRules, fetchExternal } from '../platform/egress/egress.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { encryptMessage, PLAIN_BYTES_MAX } from './encrypt.ts'
import * as sql from './sql.ts'
import { authContext } from './subscriptions.ts'
import { type TextFacts, textOf } from './texts.ts'
import type { NoticeData } from './types.ts'
import { authorization, type VapidKey, vapidKey } from './vapid.ts'

/** Reads the title of the task of a message. Titles are content: they are read when they are sent, and not stored here. */
export type TitleReader = (app: App, org: OrgId, data: NoticeData) => Promise<string | null>
export type SendPayload = { readonly messageId: sql.MessageId }

/** Later, a notification is old news. A turn that waits for an approval ends after the same time. */
export const KEPT_HOURS = 24
const RETRY_SECONDS = [30, 120, 600, 1_800, 7_200]
const RETRY_AFTER_SECONDS_MAX = 3_600
const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 2_048
// More than a person reads. An automated user of the API cannot turn a phone into an alarm.
const PER_PERSON: AttemptLimit = { name: 'push.sends', most: 60, withinSeconds: 3_600 }

export async function sendMessage(
  app: App,
  org: OrgId,
  { messageId, jobName }: SendPayload & { readonly jobName: string },
  readTitle: TitleReader | null,
  signal?: AbortSignal,
): Promise<void> {
  const key = await vapidKey(app)
  const found = await app.db.tx(org, (tx) => selectDue(app, tx, org, messageId, key))
  if (!found || !key) return
  const { message, due, currency } = found
  const title = readTitle && due.length > 0 ? await readTitle(app, org, message.data) : null
  const outcomes = await Promise.all(
    due.map(async (each) => ({
      each,
      outcome: await send(app, key, message, each, { title, currency }, signal),
    })),
  )
  await app.db.tx(org, async (tx) => {
    for (const { each, outcome } of outcomes) await recordOutcome(app, tx, message, each, outcome)
    const next = await sql.nextAttempt(tx, messageId)
    if (next) await enqueue(tx, jobName, { messageId }, { org, key: messageId, runAt: next })
    else await sql.deleteMessage(tx, messageId)
  })
}

type Due = {
  readonly message: sql.Message
  readonly due: readonly sql.DueDelivery[]
  readonly currency: Currency
}

async function selectDue(
  app: App,
  tx: Tx,
  org: OrgId,
  id: sql.MessageId,
  key: VapidKey | null,
): Promise<Due | null> {
  const message = await sql.findMessage(tx, org, id)
  if (!message) return null
  const membership = await findMembership(tx, org, message.userId)
  const isLate = message.createdAt < before(tx.now, { hours: KEPT_HOURS })
  if (!membership || !key || isLate) {
    await drop(app, tx, message, isLate ? 'expired' : 'unwanted')
    return null
  }
  const deliveries = await sql.listDue(tx, org, id)
  const isFirst = deliveries.some(({ attempts }) => attempts === 0)
  if (isFirst && !(await countAttempt(app, tx, PER_PERSON, message.userId)).allowed) {
    await drop(app, tx, message, 'limited')
    return null
  }
  const due: sql.DueDelivery[] = []
  for (const each of deliveries) {
    const session = each.sessionId ? await findOpenSession(tx, each.sessionId) : { ssoOrgId: null }
    const isOwnKey = each.serverKey === key.publicKey
    // A browser that signed out, or subscribed with another key of ours, gets nothing.
    if (!session || !isOwnKey) await sql.deleteSubscription(tx, message.userId, each.id)
    else if (membership.ssoRequired && session.ssoOrgId !== org) await sql.deleteDelivery(tx, id, each.id)
    else due.push(each)
  }
  const { currency } = present(await findOrg(tx, org), 'a member has an organisation')
  return { message, due, currency }
}

async function drop(app: App, tx: Tx, { id, data }: sql.Message, outcome: string): Promise<void> {
  await sql.deleteMessage(tx, id)
  tx.afterCommit(() => app.metrics.push(data.kind, outcome))
}

type Outcome =
  | { readonly do: 'sent' | 'gone' }
  | { readonly do: 'rejected'; readonly status: number | null }
  | { readonly do: 'retry'; readonly retryAfterSeconds: number }

async function send(
  app: App,
  key: VapidKey,
  message: sql.Message,
  { id, endpoint, p256dh, authSealed, language }: sql.DueDelivery,
  facts: TextFacts,
  signal?: AbortSignal,
): Promise<Outcome> {
  const now = app.clock.now()
  const plain = Buffer.from(JSON.stringify(textOf(message.data, facts, language)))
  const auth = app.secrets.open(authSealed, authContext(id))
  const body = encryptMessage(plain.subarray(0, PLAIN_BYTES_MAX), { p256dh, auth })
  const expiresAt = after(message.createdAt, { hours: KEPT_HOURS })
  const headers = {
    authorization: authorization(key, endpoint, now),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(Math.max(0, Math.floor((expiresAt.getTime() - now.getTime()) / 1000))),
    urgency: message.data.kind === 'needs_approval' ? 'high' : 'normal',
  }
  try {
    const {
      status,
      ok,
      headers: got,
    } = await fetchExternal(
      endpoint,
      { method: 'POST', headers, body, ...(signal && { signal }) },
      { ...egressRules(app), timeoutMs: TIMEOUT_MS, truncateAfterBytes: ANSWER_BYTES_MAX },
    )
    if (ok) return { do: 'sent' }
    if (status === 404 || status === 410) return { do: 'gone' }
    if (status === 429 || status >= 500)
      return { do: 'retry', retryAfterSeconds: Number(got.get('retry-after')) || 0 }
    return { do: 'rejected', status }
  } catch (error) {
    // Our shutdown is not a failure of the push service: another worker takes the job.
    if (signal?.aborted || !(error instanceof EgressError)) throw error
    return error.kind === 'refused' ? { do: 'rejected', status: null } : { do: 'retry', retryAfterSeconds: 0 }
  }
}

async function recordOutcome(
  app: App,
  tx: Tx,
  { id, userId, data }: sql.Message,
  to: sql.DueDelivery,
  outcome: Outcome,
): Promise<void> {
  const count = (name: string) => tx.afterCommit(() => app.metrics.push(data.kind, name))
  if (outcome.do === 'retry') {
    const seconds = RETRY_SECONDS[to.attempts]
    if (seconds !== undefined) {
      const pause = Math.max(seconds, Math.min(outcome.retryAfterSeconds, RETRY_AFTER_SECONDS_MAX))
      await sql.delayDelivery(tx, id, to.id, after(tx.now, { seconds: pause }))
      return count('retried')
    }
  }
  await sql.deleteDelivery(tx, id, to.id)
  if (outcome.do === 'gone') await sql.deleteSubscription(tx, userId, to.id)
  if (outcome.do === 'rejected') {
    const { host } = new URL(to.endpoint)
    tx.afterCommit(() => app.log.warn({ host, status: outcome.status }, 'push.message.rejected'))
  }
  return count(outcome.do === 'retry' ? 'failed' : outcome.do)
}
