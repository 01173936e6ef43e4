// Executes operations on a replica and returns the results in the terms of the model.

import { hash } from 'node:crypto'
import type { Reply, TestServer } from '@cowrie/testkit/harness/harness.ts'
import { quotient } from '../../src/kernel/decimal.ts'
import { ApiError } from '../../src/kernel/errors.ts'
import type { UserId } from '../../src/kernel/ids.ts'
import type { ProviderStatus } from '../../src/payments/rails/rail.ts'
import { settlePayment } from '../../src/payments/settle/settle.ts'
import { eventJob } from '../../src/payments/settle/webhooks/events.ts'
import { insertPayment } from '../../src/payments/sql/payments.ts'
import type { App } from '../../src/platform/app.ts'
import { lockWallet, readBalances } from '../../src/wallet/balances.ts'
import { freeze } from '../../src/wallet/holds/freeze.ts'
import { expire } from '../../src/wallet/holds/holds.ts'
import { insertTrial, type TrialId } from '../../src/wallet/trial/sql.ts'
import {
  type Balances,
  credit,
  debit,
  extendHold,
  grantIncluded,
  type Hold,
  type PostingResult,
  release,
  reserve,
  settle,
} from '../../src/wallet/wallet.ts'
import type { PaymentOp, ProviderAnswer } from './model/payment-model.ts'
import type { Facts, WalletOp } from './model/wallet-model.ts'
import { type Op, type ProviderOp, type SimOrg, Violation } from './org.ts'
import { eventNamed, setCap } from './sql.ts'
import type { World } from './world.ts'

const TRIES = 5

/** On a busy machine the service may refuse with `busy` before any effect. Then the operation is retried. */
export async function execute(world: World, replica: TestServer, org: SimOrg, op: Op): Promise<Facts> {
  for (let tried = 1; ; tried++) {
    try {
      return await executeOnce(world, replica, org, op)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'busy' || tried === TRIES) throw error
    }
  }
}

function executeOnce(world: World, replica: TestServer, org: SimOrg, op: Op): Promise<Facts> {
  switch (op.kind) {
    case 'begin':
    case 'providerStatus':
    case 'refund':
    case 'resolve':
      return executePayment(world, replica, org, op)
    case 'verify':
    case 'webhook':
    case 'forgery':
      return executeProvider(world, replica, org, op)
    default:
      return executeWallet(world, replica.app, org, op)
  }
}

const USE = { lane: 'open', model: 'small', tokens: 10n } as const

async function executeWallet(world: World, app: App, org: SimOrg, op: WalletOp): Promise<Facts> {
  const { orgId } = org
  switch (op.kind) {
    case 'reserve': {
      const { ref, amount, least, deadline } = op
      const asked = { orgId, ref, amountMinor: amount, leastMinor: least, deadline, terms: {} }
      const userId = op.userId as UserId | null
      const reserved = await reserve(app, { ...asked, userId, source: 'agent' })
      const balances = balancesOf(reserved.balances)
      if (!reserved.ok) return { refused: reserved.reason, available: reserved.availableMinor, ...balances }
      org.recordHold(ref, reserved.hold.holdId)
      return { ...holdOf(reserved.hold), isNew: reserved.isNew, ...balances }
    }
    case 'settle':
    case 'release': {
      const hold = { orgId, holdId: org.holdId(op.ref) }
      const ended =
        op.kind === 'settle'
          ? await settle(app, {
              ...{ ...hold, amountMinor: op.amount, usage: op.isCounted ? USE : null },
              exactCost: op.micro === null ? null : quotient(op.micro, 1_000_000n),
            })
          : await release(app, hold)
      return { ...holdOf(ended.hold), isPaid: ended.entryId !== null, ...balancesOf(ended.balances) }
    }
    case 'expire':
      return { expired: await expire(app, { orgId, holdId: org.holdId(op.ref) }) }
    case 'extend':
      return {
        extended: await extendHold(app, { orgId, holdId: org.holdId(op.ref), deadline: op.deadline }),
      }
    case 'trial':
      return movedOf(await app.db.tx(orgId, (tx) => grantTrial(app, tx, org, op)))
    case 'freeze': {
      const frozen = await app.db.tx(orgId, (tx) =>
        freeze(app, tx, { orgId, ref: op.ref, amountMinor: op.amount }),
      )
      if (frozen.holdId !== null) org.recordHold(op.ref, frozen.holdId)
      return { frozen: frozen.frozenMinor }
    }
    case 'unfreeze': {
      const ended = await release(app, { orgId, holdId: org.holdId(op.ref) })
      return { ...holdOf(ended.hold), isPaid: ended.entryId !== null, ...balancesOf(ended.balances) }
    }
    case 'expireTrial':
      throw new Violation('only the sweeper expires trial credit')
    case 'cap':
      await setCap(world.sql, orgId, op.userId, op.cap)
      return {}
    default:
      return movedOf(await app.db.tx(orgId, (tx) => move(app, tx, org, op)))
  }
}

/** Without the person and the limits of a grant: one per wallet. */
async function grantTrial(app: App, tx: Tx, { orgId, owner }: SimOrg, op: WalletOp & { kind: 'trial' }) {
  const { amount: amountMinor, expiresAt } = op
  const id = op.id as TrialId
  const trial = { id, userId: owner.userId, orgId, mailboxHash: hash('sha256', orgId, 'buffer'), network: id }
  await lockWallet(tx, orgId)
  if (!(await insertTrial(tx, { ...trial, domain: null, amountMinor, expiresAt })))
    return { entryId: null, postedMinor: 0n, balances: await readBalances(tx, orgId) }
  const posting = { orgId, amountMinor, source: 'trial', account: 'promotions', ref: id } as const
  return credit(app, tx, { ...posting, cause: `trial ${id}` })
}

type MoveOp = WalletOp & { kind: 'credit' | 'debit' | 'grant' | 'returnCharge' }
type Tx = Parameters<typeof credit>[1]

function move(app: App, tx: Tx, { orgId }: SimOrg, op: MoveOp): Promise<PostingResult> {
  const named = { orgId, amountMinor: op.amount, ref: op.cause, cause: op.cause }
  const plan = { source: 'subscription', account: 'subscriptions' } as const
  if (op.kind === 'grant') return grantIncluded(app, tx, named)
  if (op.kind === 'returnCharge') return credit(app, tx, { ...named, source: 'agent', account: 'refunds' })
  if (op.kind === 'credit') return credit(app, tx, { ...named, ...plan })
  return debit(app, tx, { ...named, ...plan, leastMinor: op.least })
}

async function executePayment(world: World, replica: TestServer, org: SimOrg, op: PaymentOp): Promise<Facts> {
  const { app } = replica
  const { orgId } = org
  const { reference } = op
  switch (op.kind) {
    case 'begin': {
      const { userId, email } = org.owner
      const kind = {
        purpose: 'topup',
        billId: null,
        cardId: null,
        channel: 'card',
        rail: 'paystack',
        account: 'NG',
        mode: 'live',
        currency: 'NGN',
      } as const
      const { amount: amountMinor, expiresAt } = op
      const row = { reference, orgId, userId, email, ...kind, amountMinor, expiresAt, phoneSealed: null }
      // Never swept: the fake provider does not know these payments, the simulation answers for the provider.
      await app.db.tx(orgId, (tx) => insertPayment(tx, { ...row, nextCheckAt: NEVER }))
      return { status: 'pending' }
    }
    case 'providerStatus': {
      const reported = world.bug.alterStatus(toProviderStatus(op.answer))
      const settled = await settlePayment(app, reference, reported, 'webhook')
      const { status, creditedMinor: credited, changed, balanceMinor: balance } = settled
      return { status, credited, changed, balance }
    }
    case 'refund': {
      const body = { orgId, amountMinor: op.amount, reason: 'simulated', source: 'refund', reference }
      const headers = { 'idempotency-key': op.key }
      const reply = await replica.call('POST', '/wallet/refund', { as: world.staff, body, headers })
      if (reply.status === 200) return { refunded: op.amount, balance: reply.body.balanceMinor as bigint }
      return { refused: codeOf(reply), remaining: (reply.body.remainingMinor as bigint | undefined) ?? null }
    }
    case 'resolve': {
      const headers = { 'idempotency-key': op.key }
      const body = { decision: op.decision, note: 'simulated' }
      const path = `/admin/payments/${reference}/resolve`
      const reply = await replica.call('POST', path, { as: world.staff, body, headers })
      if (reply.status !== 200) return { refused: codeOf(reply) }
      const { status, creditedMinor: credited, balanceMinor: balance } = reply.body
      return { status, credited, balance } as Facts
    }
  }
}

const NEVER = new Date('9999-01-01T00:00:00Z')

async function executeProvider(
  world: World,
  replica: TestServer,
  org: SimOrg,
  op: ProviderOp,
): Promise<Facts> {
  if (op.kind === 'verify') {
    const { reference } = op
    const reply = await replica.call('POST', '/wallet/verify', { as: org.owner, body: { reference } })
    if (reply.status !== 200) throw new Violation(`verify returned ${codeOf(reply)}: ${reply.text}`)
    return { credited: reply.body.creditedMinor as bigint }
  }
  const { headers, body: raw } = op.message
  const reply = await replica.call('POST', '/webhooks/card_provider', { raw, headers })
  const { status } = reply
  if (status !== 200 && status !== 401) throw new Violation(`a webhook returned ${codeOf(reply)}`)
  if (op.kind === 'webhook' && status === 200) await runWebhookJob(world, op.event)
  return { status }
}

/** Both replicas process the webhook event at the same time, as after a lost lease. */
async function runWebhookJob({ replicas, sql }: World, name: string): Promise<void> {
  const event = await eventNamed(sql, name)
  if (!event) throw new Violation(`the event ${name} was not stored`)
  const { signal } = new AbortController()
  const job = {
    id: 'job_simulated',
    payload: { eventId: event.id },
    attempt: 1,
    org: null,
    fence: 1n,
    signal,
  }
  await Promise.all(replicas.map(({ app }) => eventJob.run(app, job)))
}

const toProviderStatus = (answer: ProviderAnswer): ProviderStatus => {
  switch (answer.status) {
    case 'paid': {
      const { amount: amountMinor, currency, reference, transaction: transactionId } = answer
      return { status: 'paid', amountMinor, currency, reference, transactionId, live: true }
    }
    case 'pending':
      return { status: 'pending', detail: 'simulated' }
    case 'reversed':
      return { status: 'reversed', reason: 'simulated', transactionId: null }
    default:
      return { status: answer.status, reason: 'simulated' }
  }
}

function codeOf({ status, body, text }: Reply): string {
  if (body.code === 'busy') throw new ApiError('busy')
  if (status >= 500 || typeof body.code !== 'string')
    throw new Violation(`unexpected answer ${status}: ${text}`)
  return body.code
}

const balancesOf = ({ balanceMinor, heldMinor, includedRemainingMinor }: Balances): Facts => ({
  balance: balanceMinor,
  held: heldMinor,
  plan: includedRemainingMinor,
})
const holdOf = ({ state, amountMinor, includedMinor, chargedMinor }: Hold): Facts => ({
  ...{ state, amount: amountMinor, fromPlan: includedMinor, charged: chargedMinor },
})
const movedOf = ({ postedMinor: movedMinor, entryId, balances }: PostingResult): Facts => ({
  moved: movedMinor,
  isNew: entryId !== null,
  ...balancesOf(balances),
})
