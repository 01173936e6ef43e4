// An accepted dispute whose answer a second member of staff approved. A job sends it after the approval is committed.
import type { App } from '../../platform/app.ts'
import type { ApprovalHandler, Requester } from '../../platform/approval-handler.ts'
import { enqueue, job } from '../../platform/jobs/jobs.ts'
import { alertStaff } from '../settle/staff-alerts.ts'
import { paymentByReference } from '../sql/payments.ts'
import { claimAnswer, confirmAnswer, prepareAnswer, sendAnswer } from './answer.ts'
import * as sql from './sql.ts'

const SEND = 'payments.approvedDisputeAnswer'

type ApprovedAnswer = {
  readonly id: sql.DisputeId
  readonly message: string
  readonly staff: Requester
  readonly ip: string
  readonly approvedBy: string | null
}

/** Claims the answer in the transaction of the approval, so that no other one is sent. */
export const approveDisputeAnswer: ApprovalHandler<App> = async (app, tx, call, { input, reason }) => {
  const id = input.disputeId as sql.DisputeId
  const message = input.message ?? reason
  await claimAnswer(app, tx, call, id, { kind: 'accepted', message })
  const { staff, ip, approvedBy } = call
  const payload: ApprovedAnswer = { id, message, staff, ip, approvedBy }
  await enqueue(tx, SEND, payload, { key: id })
}

/** Without a reply of the provider the job fails and sends the same answer again. */
export const approvedAnswerJob = job<ApprovedAnswer>(SEND, {
  async run(app, { payload: { id, message, ...call } }) {
    const claimed = await app.db.tx('platform', async (tx) => {
      const dispute = await sql.findDispute(tx, id)
      const payment = dispute && (await paymentByReference(tx, dispute.reference))
      if (!payment || dispute.state !== 'frozen' || dispute.answeredAt !== null) return null
      // The answer was withdrawn since. Another one may be sent.
      if (dispute.answer !== 'accepted') return null
      return {
        dispute,
        payment,
        answer: await prepareAnswer(app, tx, dispute, { kind: 'accepted', message }),
      }
    })
    if (!claimed) return
    const { payment } = claimed
    const result = await sendAnswer(app, claimed)
    if (result.status === 'unknown') throw new Error(`no answer of ${payment.rail}: ${result.reason}`)
    await app.db.tx('platform', async (tx) => {
      if (result.status === 'accepted') return void (await confirmAnswer(tx, call, claimed))
      await sql.withdrawAnswer(tx, id, 'accepted')
      await alertStaff(app, tx, payment, 'A provider refused an approved answer to a dispute', [
        `Nothing changed there. Its reason: ${result.reason}`,
        `See ${app.config.baseUrl}/app/ops/disputes/${id}.`,
      ])
    })
  },
})
