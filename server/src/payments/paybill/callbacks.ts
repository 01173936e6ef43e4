// Messages of M-Pesa about payments by hand: validations, confirmations, and the answers to status queries. None is signed, so
// each needs the secret URL and an allowed address, and none of them moves money by its own statements.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Proof, RequestInfo } from '../../platform/http/route.ts'
import { readPaybillNotice, readReceiptStatus } from '../rails/daraja/paybill.ts'
import { parseJsonExactly } from '../rails/parse.ts'
import { storeEvent } from '../settle/webhooks/events.ts'
import { requireAllowedAddress } from '../settle/webhooks/receive.ts'
import { isRailToken } from '../settle/webhooks/webhook-url.ts'
import { type PaybillAccount, paybillAccount } from './accounts.ts'
import { applyAnswer, applyTimeout } from './inquire.ts'
import { findPrompt, matchOrg, type RefusalCode } from './match.ts'
import { storeConfirmation } from './receipts.ts'

export const authenticatePaybill: Proof = (app, { params, address }) => {
  if (!paybillAccount(app)) throw new ApiError('not_configured')
  if (!isRailToken(app, 'daraja', params.token ?? '')) throw new ApiError('not_found')
  requireAllowedAddress(app, 'daraja', address)
}

const REFUSALS: Readonly<Record<RefusalCode | 'C2B00016', string>> = {
  C2B00012: 'Invalid Account Number',
  C2B00013: 'Invalid Amount',
  C2B00015: 'Invalid Shortcode',
  C2B00016: 'Other Error',
}
const refuse = (code: keyof typeof REFUSALS) => ({ ResultCode: code, ResultDesc: REFUSALS[code] })
const ACCEPTED = { ResultCode: '0', ResultDesc: 'Accepted' }
const RECEIVED = { ResultCode: 0, ResultDesc: 'Accepted' }

/** Whether M-Pesa may take the money. Stores nothing. */
export async function validatePayment(app: App, { raw }: RequestInfo) {
  const account = requireAccount(app)
  const notice = readPaybillNotice(raw ?? Buffer.alloc(0))
  if (!notice) return refuse('C2B00016')
  const code = await app.db.tx('platform', async (tx) => {
    if (await findPrompt(tx, notice.accountText)) return null
    const match = await matchOrg(tx, notice, account.paybill.shortcode)
    return 'code' in match ? match.code : null
  })
  if (code === null) return ACCEPTED
  app.metrics.payment('daraja', 'validation_refused')
  return refuse(code)
}

/** Stores the receipt and acknowledges it. A job verifies and credits it. */
export async function confirmPayment(app: App, { raw = Buffer.alloc(0), address }: RequestInfo) {
  requireJson(raw)
  const notice = readPaybillNotice(raw)
  if (notice) await storeConfirmation(app, notice, { raw, address })
  else {
    await storeEvent(app, 'daraja', 'nothing', { raw, address, payment: null })
    app.log.error({ bytes: raw.length }, 'payments.paybill.confirmation_unreadable')
  }
  return RECEIVED
}

export async function receiveAnswer(app: App, inquiryId: string, { raw = Buffer.alloc(0) }: RequestInfo) {
  requireJson(raw)
  const answer = readReceiptStatus(raw)
  if (answer) await applyAnswer(app, requireAccount(app), inquiryId, answer)
  return RECEIVED
}

export async function receiveTimeout(app: App, inquiryId: string) {
  await applyTimeout(app, inquiryId)
  return RECEIVED
}

function requireAccount(app: App): PaybillAccount {
  const account = paybillAccount(app)
  if (!account) throw new ApiError('not_configured')
  return account
}

/** Invalid JSON is a transmission error, so the provider must retry. */
function requireJson(raw: Buffer): void {
  if (parseJsonExactly(raw.toString('utf8')) === undefined) throw new ApiError('malformed_json')
}
