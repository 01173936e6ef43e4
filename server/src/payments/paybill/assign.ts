// Assigns a payment at the paybill that matched no organisation.
import { commitMoney } from '../../approvals/approvals.ts'
import { record } from '../../audit/audit.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg, shareOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { MoneyCall } from '../../platform/approval-handler.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { fail } from '../settle/apply-decision.ts'
import { type CaseId, lockCase, resolveById } from '../sql/payment-cases.ts'
import { markDecided } from '../sql/payment-status.ts'
import { lockPayment } from '../sql/payments.ts'
import { paybillAccount } from './accounts.ts'
import { caseKeyOf } from './claim-receipt.ts'
import { findPrompt } from './match.ts'
import { createPayment } from './record.ts'
import { lockReceipt, paymentOfTransaction, promptOfReceipt, type Receipt } from './sql.ts'

export type Assignment = { readonly orgId: OrgId; readonly note: string }

/**
 * Assigns a receipt once. A verified one is credited; any other becomes a payment under review. Staff cannot assign to an
 * organisation that they belong to.
 */
export const assignReceipt = (
  app: App,
  actor: Actor,
  caseId: CaseId,
  assignment: Assignment,
  once: Once,
  ip: string,
) => commitMoney(app, actor, once, ip, (tx, call) => giveReceipt(app, tx, call, caseId, assignment))

export async function giveReceipt(
  app: App,
  tx: Tx,
  call: MoneyCall,
  caseId: CaseId,
  { orgId, note }: Assignment,
) {
  const { staff, approvedBy, ip } = call
  const account = paybillAccount(app)
  if (!account) throw new ApiError('not_configured')
  const receipt = await lockReceiptOfCase(tx, caseId)
  await requireOutsider(tx, staff, orgId)
  await requireKenyanOrg(tx, orgId)
  await tx.lock(`payment daraja live ${receipt.receipt}`)
  if (await paymentOfTransaction(tx, receipt.receipt)) throw new ApiError('transaction_used')
  await endPromptOf(app, tx, receipt)
  // Any other receipt credits nothing before the decision about its payment, which needs the approval.
  if (receipt.verifiedAt !== null && receipt.amountMinor !== null)
    await call.consent(tx, {
      kind: 'admin.paymentCases.assign',
      ...{ orgId, currency: 'KES', reference: receipt.receipt, reason: note, input: { caseId } },
      amountMinor: receipt.amountMinor,
    })
  const recorded = await createPayment(app, tx, account, receipt, orgId, 'staff')
  if (!recorded)
    throw invalidFields({
      path: 'orgId',
      message: 'must have a verified owner, and the receipt an amount; credit it as an adjustment instead',
    })
  const { reference, status, creditedMinor, balanceMinor } = recorded
  await resolveById(tx, caseId, staff.userId, note)
  await record(tx, {
    orgId,
    actor: { kind: 'user', ...staff },
    as: 'operator',
    ip,
    action: 'admin.payments.assign',
    target: reference,
    metadata: {
      ...{ caseId, receipt: receipt.receipt, status, creditedMinor, note },
      ...(approvedBy !== null && { approvedBy }),
    },
  })
  tx.afterCommit(() => app.metrics.payment('daraja', 'assigned'))
  return { ok: true as const, id: caseId, reference, status, creditedMinor, balanceMinor }
}

/**
 * The receipt may be that of a prompt whose status is late. The prompt is then never credited, so that the receipt is credited
 * once. A prompt that was credited without a receipt, or is under review, has this one.
 */
async function endPromptOf(app: App, tx: Tx, { receipt, accountText, amountMinor }: Receipt): Promise<void> {
  const named = (await findPrompt(tx, accountText)) ?? (await promptOfReceipt(tx, receipt))
  const prompt = named && named.amountMinor === amountMinor && (await lockPayment(tx, named.reference))
  if (!prompt || prompt.decidedAt !== null) return
  const { reference, status, transactionId } = prompt
  if (status === 'settled' && transactionId !== null && transactionId !== receipt) return
  if (status === 'settled' || status === 'review')
    throw new ApiError('transaction_used', {
      error: `This receipt belongs to the top-up ${reference}. Decide about its money there.`,
    })
  await app.paymentHandlers[prompt.purpose]?.lock(tx, prompt)
  if (status === 'pending') await fail(app, tx, prompt, 'Its money was credited as a payment at the paybill.')
  await markDecided(tx, reference)
}

/** Locks the case and its receipt. Both are decided once. */
async function lockReceiptOfCase(tx: Tx, caseId: CaseId): Promise<Receipt> {
  const found = await lockCase(tx, caseId)
  if (!found) throw new ApiError('not_found')
  const [key, name = ''] = found.key.split(' ')
  const receipt = caseKeyOf(name) === found.key && key === 'paybill' ? await lockReceipt(tx, name) : undefined
  if (!receipt) throw new ApiError('not_found', { error: 'This case is not about a payment at the paybill.' })
  if (found.resolvedAt || receipt.state !== 'unassigned')
    throw new ApiError('already_decided', {
      error: 'This receipt was already assigned. Its payment is in GET /admin/payments.',
    })
  return receipt
}

async function requireKenyanOrg(tx: Tx, orgId: OrgId): Promise<void> {
  const org = await findOrg(tx, orgId)
  const facts = org && (await shareOrg(tx, orgId))
  if (!facts || facts.closed || facts.currency !== 'KES')
    throw invalidFields({ path: 'orgId', message: 'must be an open organisation with a wallet in KES' })
}
