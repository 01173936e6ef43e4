// Executes the money actions that a second member of staff approved.
import type { App } from '../../platform/app.ts'
import type { ApprovalHandler, MoneyAction } from '../../platform/approval-handler.ts'
import { approveDisputeAnswer } from '../disputes/approved-answer.ts'
import { giveReceipt } from '../paybill/assign.ts'
import { startSourceRefund } from '../refunds/request.ts'
import type { CaseId } from '../sql/payment-cases.ts'
import { decideReview } from './admin-payments.ts'
import { giveRefund } from './refund.ts'

export const paymentApprovals: Readonly<Record<string, ApprovalHandler<App>>> = {
  'wallet.refund': (app, tx, call, { orgId, amountMinor, reason, reference, input }) =>
    giveRefund(app, tx, call, {
      ...{ orgId, amountMinor, reason },
      source: input.source === 'refund' ? 'refund' : 'adjustment',
      ...(reference !== null && { reference }),
    }),
  'admin.payments.resolve': (app, tx, call, action) =>
    decideReview(app, tx, call, referenceOf(action), {
      decision: 'credit',
      amountMinor: action.amountMinor,
      note: action.reason,
    }),
  'admin.payments.refundToSource': (app, tx, call, action) =>
    startSourceRefund(app, tx, call, referenceOf(action), action),
  'admin.paymentCases.assign': (app, tx, call, { orgId, reason, input }) =>
    giveReceipt(app, tx, call, input.caseId as CaseId, { orgId, note: reason }),
  'admin.disputes.accept': approveDisputeAnswer,
}

const referenceOf = ({ reference }: MoneyAction): string => reference ?? ''
