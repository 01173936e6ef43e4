// Public API of approvals: money actions of staff above a limit wait for a second member of staff.
import { record } from '../audit/audit.ts'
import { after, before } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { money } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { MoneyAction, MoneyCall } from '../platform/approval-handler.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { CommittedReply, Once } from '../platform/http/idempotency/idempotency.ts'
import { currentRateCard, toKobo } from '../wallet/wallet.ts'
import { mailApprovers } from './approver-mail.ts'
import { approvalLimit } from './settings.ts'
import * as sql from './sql.ts'

const WINDOW = { hours: 24 }
const LIFETIME = { hours: 24 }

/** Rolls back the transaction of an action that needs an approval. */
class ApprovalNeeded extends Error {
  readonly action: MoneyAction
  constructor(action: MoneyAction) {
    super('the amount is above the limit')
    this.action = action
  }
}

/** Runs a money action of staff and stores its reply. */
export const commitMoney = <T>(
  app: App,
  actor: Actor,
  once: Once,
  ip: string,
  work: (tx: Tx, call: MoneyCall) => Promise<T>,
): Promise<CommittedReply<T>> =>
  runMoney(app, actor, once.id, ip, (call) => once.commit('platform', (tx) => work(tx, call)))

/**
 * Runs a money action of staff. Above the limit its transaction is rolled back; the request is stored, and `approval_required`
 * is thrown.
 */
export async function runMoney<T>(
  app: App,
  actor: Actor,
  operationId: Once['id'],
  ip: string,
  run: (call: MoneyCall) => Promise<T>,
): Promise<T> {
  const { userId, email, staffRole } = actor
  const call: MoneyCall = {
    staff: { userId, email, staffRole },
    ip,
    operationId,
    approvedBy: null,
    consent: (tx, action) => consent(app, tx, call, action),
  }
  try {
    return await run(call)
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error
    throw await app.db.tx('platform', (tx) => requestApproval(app, tx, call, error.action))
  }
}

/** The lock serialises the actions of one member of staff, so that concurrent ones do not pass the limit together. */
async function consent(app: App, tx: Tx, call: MoneyCall, action: MoneyAction): Promise<void> {
  const limit = BigInt(app.settings.get(approvalLimit))
  if (limit === 0n) return
  const { userId } = call.staff
  await tx.lock(`staff money ${userId}`)
  // A retry of an action whose provider did not answer counts once.
  if ((await sql.approvalOfOperation(tx, call.operationId))?.state === 'direct') return
  const spent = await sql.directKoboSince(tx, userId, before(tx.now, WINDOW))
  if (spent + koboOf(app, action) > limit) throw new ApprovalNeeded(action)
  // An operation that was requested stays a request: its row counts in no sum.
  if (!(await sql.insertApproval(tx, rowOf(app, tx, call, action, 'direct'))))
    throw new ApprovalNeeded(action)
}

/** Stores the request. A retry under the same idempotency key finds it again. */
async function requestApproval(app: App, tx: Tx, call: MoneyCall, action: MoneyAction): Promise<ApiError> {
  const row = rowOf(app, tx, call, action, 'pending')
  if (await sql.insertApproval(tx, row)) {
    const { kind, orgId, reference, amountMinor, currency, reason } = action
    await record(tx, {
      orgId: null,
      actor: { kind: 'user', ...call.staff },
      as: 'operator',
      ip: call.ip,
      action: 'approvals.request',
      target: row.id,
      metadata: { kind, orgId, reference, amountMinor, currency, reason },
    })
    await mailApprovers(app, tx, row)
    return needed(row)
  }
  const known = await sql.approvalOfOperation(tx, call.operationId)
  if (known?.state === 'pending' && known.expiresAt > tx.now) return needed(known)
  return new ApiError('already_decided', {
    error: `The request for this was already decided or has expired: ${known?.id}. See GET /admin/approvals.`,
  })
}

const needed = ({ id, expiresAt }: Pick<sql.Approval, 'id' | 'expiresAt'>): ApiError =>
  new ApiError('approval_required', { approvalId: id, expiresAt })

const koboOf = (app: App, { amountMinor, currency }: MoneyAction): bigint =>
  toKobo(currentRateCard(app), money(amountMinor, currency))

function rowOf(
  app: App,
  tx: Tx,
  { staff, ip, operationId }: MoneyCall,
  action: MoneyAction,
  state: 'direct' | 'pending',
): sql.NewApproval {
  return {
    ...action,
    id: newId('apr', tx.now.getTime()),
    amountKobo: koboOf(app, action),
    operationId,
    requestedBy: staff.userId,
    requesterEmail: staff.email,
    requesterRole: staff.staffRole ?? 'support',
    requesterIp: ip,
    requestedAt: tx.now,
    expiresAt: after(tx.now, LIFETIME),
    state,
  }
}
