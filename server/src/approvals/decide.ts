// Decisions about requests: another member of staff approves or rejects them.
import { record } from '../audit/audit.ts'
import { allStaff } from '../identity/identity.ts'
import { present } from '../kernel/assert.ts'
import { ApiError } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { MoneyAction, MoneyCall } from '../platform/approval-handler.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Once } from '../platform/http/idempotency/idempotency.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import { requireOutsider } from '../teams/teams.ts'
import * as sql from './sql.ts'

type Search = { status: 'pending' | 'all'; limit: number; cursor?: string | undefined }

export async function listApprovals(app: App, { status, limit, cursor }: Search) {
  const from = cursor === undefined ? null : decodeTimeCursor(cursor)
  const rows = await app.db.tx('platform', (tx) =>
    sql.listApprovals(tx, status === 'pending', from, limit + 1),
  )
  const { items, nextCursor } = toPage(rows, limit, ({ requestedAt, id }) => [requestedAt, id])
  return { approvals: items, nextCursor }
}

type Decision = { decision: 'approve' | 'reject'; note?: string | undefined }

/**
 * Decides a request once. The approved action is executed in the same transaction with all its checks; if one fails, the
 * request stays open. Its requester may only withdraw it.
 */
export function decideApproval(
  app: App,
  actor: Actor,
  id: sql.ApprovalId,
  { decision, note = '' }: Decision,
  once: Once,
  ip: string,
) {
  return once.commit('platform', async (tx) => {
    const found = await sql.lockApproval(tx, id)
    if (!found) throw new ApiError('not_found')
    requireOpen(tx, found)
    const state = decision === 'reject' ? ('rejected' as const) : await approve(app, tx, actor, found)
    await sql.decideApproval(tx, id, { state, by: actor, note: note || null })
    const { kind, orgId, reference, amountMinor, currency, requestedBy } = found
    await record(tx, {
      orgId: null,
      actor,
      as: 'operator',
      ip,
      action: `approvals.${state === 'approved' ? 'approve' : state === 'void' ? 'void' : 'reject'}`,
      target: id,
      metadata: { kind, orgId, reference, amountMinor, currency, requestedBy, note },
    })
    return { ok: true as const, id, state }
  })
}

function requireOpen(tx: Tx, { state, expiresAt }: sql.Approval): void {
  if (state !== 'pending')
    throw new ApiError('already_decided', {
      error: 'Another member of staff has already decided this request.',
    })
  if (expiresAt <= tx.now)
    throw new ApiError('already_decided', {
      error: 'This request has expired. Its requester must repeat it.',
    })
}

async function approve(app: App, tx: Tx, actor: Actor, approval: sql.Approval): Promise<'approved' | 'void'> {
  const { kind, orgId, reference, amountMinor, currency, reason, input, requestedBy } = approval
  if (requestedBy === actor.userId)
    throw new ApiError('forbidden', { error: 'You requested this. Another member of staff must approve it.' })
  // Super admins too: there is always a second person here.
  await requireOutsider(tx, { ...actor, staffRole: null }, orgId)
  // Changes of staff take the same lock. The approver may have waited for one.
  await tx.lock('staff')
  const staff = await allStaff(tx, app.config.rootAdminEmail)
  if (staff.find(({ userId }) => userId === actor.userId)?.role !== actor.staffRole)
    throw new ApiError('staff_only')
  const requester = staff.find(({ userId }) => userId === requestedBy)
  if (requester?.role !== approval.requesterRole) return 'void'
  const call: MoneyCall = {
    staff: { userId: requestedBy, email: requester.email, staffRole: requester.role },
    ip: approval.requesterIp,
    operationId: approval.operationId,
    approvedBy: actor.email,
    consent: async (_, { currency: current }) => requireSameCurrency(currency, current),
  }
  const action: MoneyAction = { kind, orgId, reference, amountMinor, currency, reason, input }
  const execute = present(app.approvalHandlers[kind], `${kind} can be approved`)
  await execute(app, tx, call, action)
  return 'approved'
}

/** The approver saw the amount in the currency of the request. */
function requireSameCurrency(requested: Currency, current: Currency): void {
  if (requested !== current)
    throw new ApiError('forbidden', {
      error: `The currency of the wallet is now ${current}; the request is in ${requested}. Reject it and ask for a new one.`,
    })
}
