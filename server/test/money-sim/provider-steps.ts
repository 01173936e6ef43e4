// Steps with the fake provider: top-ups over HTTP, decisions of payers, and webhooks that are repeated, late, out of order
// or forged.
import { createHash } from 'node:crypto'
import type { TestServer } from '@cowrie/testkit/harness/harness.ts'
import { chooseWeighted, pickOne, type Random } from '@cowrie/testkit/harness/seeded.ts'
import { nameIn, type Step } from './draw-step.ts'
import { type ProviderOp, type SimOrg, Violation, type WebhookMessage } from './org.ts'
import type { World } from './world.ts'

/** Below the service's limit of status checks per payment in ten seconds. */
const ASKS_MAX = 4
const MESSAGES_KEPT = 40

export async function drawProviderStep(
  world: World,
  replica: TestServer,
  random: Random,
  org: SimOrg,
): Promise<Step> {
  const reference = random() < 0.3 ? undefined : pickOne(random, org.recent.rail)
  if (reference === undefined) return beginTopup(replica, random, org)
  decide(world, random, org, reference)
  storeMessage(world, org, reference)
  const kind = chooseWeighted(random, { webhook: 40, late: 20, forgery: 20, verify: 15, race: 15 })
  if (kind === 'race') {
    const latest = org.messages.at(-1)
    return [webhook(latest), webhook(latest), verify(random, org, reference), verify(random, org, reference)]
  }
  if (kind === 'late') return [webhook(pickOne(random, org.messages))]
  if (kind === 'forgery') return [forgery(random, pickOne(random, org.messages))]
  return kind === 'verify' ? [verify(random, org, reference)] : [webhook(org.messages.at(-1))]
}

/** A retry with the same key returns the same payment. */
async function beginTopup(replica: TestServer, random: Random, org: SimOrg): Promise<Step> {
  const amount = 5_000n + BigInt(Math.floor(random() * 3_000))
  const headers = { 'idempotency-key': nameIn(org) }
  const begin = () =>
    replica.call<{ reference: string; expiresAt: string }>('POST', '/wallet/topup', {
      as: org.owner,
      body: { amountMinor: amount },
      headers,
    })
  const { status, body, text } = await begin()
  if (status !== 200) throw new Violation(`a top-up returned ${status}: ${text}`)
  const { reference } = body
  if (random() < 0.3 && (await begin()).body.reference !== reference)
    throw new Violation(`a retried top-up created a second payment besides ${reference}`)
  org.remember('rail', reference)
  const expiresAt = new Date(body.expiresAt)
  org.payments.apply({ kind: 'begin', reference, amount, expiresAt }, new Date(0))
  return []
}

function decide({ paystack }: World, random: Random, org: SimOrg, reference: string): void {
  const { amount } = org.payments.of(reference)
  const { status } = org.providerStatusOf(reference)
  const decision = chooseWeighted(random, { pay: 40, payOther: 6, decline: 10, reverse: 14, nothing: 30 })
  if (status === 'reversed') return
  if (decision === 'reverse' && status === 'paid') {
    paystack.reverse(reference)
    org.providerStatuses.set(reference, { status: 'reversed' })
  }
  if (status === 'paid') return
  if (decision === 'decline') {
    paystack.decline(reference)
    org.providerStatuses.set(reference, { status: 'failed' })
  }
  if (decision === 'pay' || decision === 'payOther') {
    const paid = decision === 'pay' ? amount : amount + (random() < 0.5 ? 1n : -1n)
    paystack.pay(reference, { amountMinor: paid })
    const transaction = String(eventIn(paystack.message(reference)).data.id)
    org.providerStatuses.set(reference, {
      status: 'paid',
      amount: paid,
      currency: 'NGN',
      reference,
      transaction,
    })
  }
}

function storeMessage({ paystack }: World, org: SimOrg, reference: string): void {
  const message = paystack.message(reference)
  org.messages.push({ reference, message, event: `${eventIn(message).event} ${reference}` })
  if (org.messages.length > MESSAGES_KEPT) org.messages.shift()
}

const eventIn = ({ body }: WebhookMessage) => JSON.parse(body) as { event: string; data: { id?: number } }

function webhook(stored: SimOrg['messages'][number] | undefined): ProviderOp {
  if (!stored) throw new Error('no message was stored before')
  return { kind: 'webhook', ...stored }
}

/** Signed with another key, or changed after signing. */
function forgery(random: Random, stored: SimOrg['messages'][number] | undefined): ProviderOp {
  const { message } = webhook(stored) as ProviderOp & { kind: 'webhook' }
  const signature = createHash('sha512').update(message.body).digest('hex')
  if (random() < 0.5)
    return {
      kind: 'forgery',
      message: { ...message, headers: { ...message.headers, 'x-paystack-signature': signature } },
    }
  return { kind: 'forgery', message: { ...message, body: message.body.replace('"amount":', '"amount":1') } }
}

function verify(random: Random, org: SimOrg, reference: string): ProviderOp {
  const asked = org.asked.get(reference) ?? 0
  if (asked >= ASKS_MAX) return webhook(pickOne(random, org.messages))
  org.asked.set(reference, asked + 1)
  return { kind: 'verify', reference }
}
