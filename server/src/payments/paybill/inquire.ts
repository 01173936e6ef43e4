// Verifies a receipt with M-Pesa's transaction status. The answer arrives at a URL that only this query has.
import { randomBytes } from 'node:crypto'
import { after } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import { withCircuitBreaker } from '../rails/circuit-breaker.ts'
import type { ReceiptStatus } from '../rails/rail.ts'
import { paybillUrl } from '../settle/webhooks/webhook-url.ts'
import type { PaybillAccount } from './accounts.ts'
import { recordReceipt, unassign } from './record.ts'
import * as sql from './sql.ts'

export const INQUIRIES_MAX = 5
/** After this time the query is sent again. */
const ANSWER_WITHIN = { minutes: 2 }
const RETRY_AFTER = { seconds: 30 }
const FINDING_CHARACTERS_MAX = 300

/** The id is stored before the call, so that its answer always finds it. */
export async function inquire(app: App, account: PaybillAccount, receipt: string): Promise<void> {
  const ask = account.paybill.inquire
  if (!ask) return
  // 160 bits in hexadecimal, like the tokens of webhook URLs.
  const inquiryId = randomBytes(20).toString('hex')
  await app.db.tx('platform', (tx) => sql.openInquiry(tx, receipt, inquiryId, after(tx.now, ANSWER_WITHIN)))
  const base = paybillUrl(app)
  const question = {
    receipt,
    resultUrl: `${base}/result/${inquiryId}`,
    timeoutUrl: `${base}/timeout/${inquiryId}`,
  }
  const reply = await withCircuitBreaker(app, account, (http) => ask(http, question))
  if (reply.status !== 'accepted') {
    app.log.warn({ receipt, reason: reply.reason }, 'payments.paybill.inquiry_failed')
    return
  }
  const { conversationId } = reply
  if (conversationId !== null)
    await app.db.tx('platform', (tx) => sql.storeConversation(tx, inquiryId, conversationId))
}

/**
 * Applies the answer to the query with this id, once. Verification and credit are one transaction. The answer is unsigned: it
 * counts because only M-Pesa knows the id.
 */
export function applyAnswer(
  app: App,
  account: PaybillAccount,
  inquiryId: string,
  answer: ReceiptStatus,
): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const receipt = await sql.lockReceiptOfInquiry(tx, inquiryId)
    if (!receipt) return
    if (receipt.conversationId !== null && receipt.conversationId !== answer.conversationId) {
      tx.afterCommit(() => reportForgery(app, receipt.receipt))
      return
    }
    const retry = { isVerified: false, nextCheckAt: after(tx.now, RETRY_AFTER) }
    const finding = answer.detail.slice(0, FINDING_CHARACTERS_MAX)
    if (!answer.found) return sql.closeInquiry(tx, receipt.receipt, { ...retry, finding })
    const contradiction = contradictionOf(receipt, answer, account.paybill.shortcode)
    if (contradiction !== null) return unassign(app, tx, receipt, contradiction)
    if (!answer.isCompleted) return sql.closeInquiry(tx, receipt.receipt, { ...retry, finding })
    await sql.closeInquiry(tx, receipt.receipt, { finding: null, isVerified: true, nextCheckAt: tx.now })
    await recordReceipt(app, tx, account, { ...receipt, finding: null, verifiedAt: tx.now })
  })
}

/** M-Pesa gave up on the query: it is sent again. */
export function applyTimeout(app: App, inquiryId: string): Promise<void> {
  return app.db.tx('platform', async (tx) => {
    const receipt = await sql.lockReceiptOfInquiry(tx, inquiryId)
    if (!receipt) return
    const nextCheckAt = after(tx.now, RETRY_AFTER)
    const finding = 'the status query timed out at M-Pesa'
    await sql.closeInquiry(tx, receipt.receipt, { finding, isVerified: false, nextCheckAt })
  })
}

type Found = Extract<ReceiptStatus, { found: true }>

/** The difference between the answer and the confirmation. With one, nothing is credited without staff. */
function contradictionOf(
  { receipt, amountMinor }: sql.Receipt,
  answer: Found,
  paybill: string,
): string | null {
  if (answer.receipt !== receipt) return 'The status query answered about another receipt.'
  if (answer.payee !== paybill) return 'The status query names another receiver than the paybill.'
  if (answer.amountMinor === null || answer.amountMinor !== amountMinor)
    return 'The status query reports another amount than the confirmation.'
  return null
}

function reportForgery(app: App, receipt: string): void {
  app.metrics.payment('daraja', 'forged')
  app.log.warn({ receipt }, 'payments.paybill.answer_rejected')
}
