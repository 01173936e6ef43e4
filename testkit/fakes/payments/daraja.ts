// A fake Daraja. It checks keys, passwords and fields as the provider does, and has the same formats: results as strings, a
// waiting prompt as status 500, a bad token as status 404.
import { randomUUID } from 'node:crypto'
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { z } from 'zod'
import { createFakePaybill, type FakePaybill } from './daraja-paybill.ts'
import type { FakeProvider } from './fake-provider.ts'
import {
  type FakeReply,
  type FakeRequest,
  type LoopbackServer,
  startLoopbackServer,
} from './loopback-server.ts'

/**
 * Limits of this rail: it gets only the end of our reference, so `orders` contain that part and lookups compare the end. Its
 * status replies have no amount: only the webhook shows a different one. It has no reversal status and no test flag, so
 * `reverse` and `test` change nothing.
 */
export type FakeDaraja = FakeProvider & {
  readonly loopback: LoopbackServer
  /** Payments by hand. */
  readonly paybill: FakePaybill
  /** The receipt of a paid prompt. */
  receiptOf(reference: string): string
  /** The accepted prompts, oldest first. */
  readonly pushes: readonly z.infer<typeof Push>[]
  /** Ends the prompt with this result. */
  decide(reference: string, resultCode: string): void
  /** Invalidates all issued tokens. */
  expireTokens(): void
}

type Prompt = {
  readonly push: z.infer<typeof Push>
  readonly id: string
  result: { code: string; amount: number } | null
}

const KEY = 'consumer-key'
const SECRET = 'consumer-secret'
const PASSKEY = 'PASSKEY'
const TOKEN_PATH = '/oauth/v1/generate'

export async function startFakeDaraja({ shortcode = '600999' } = {}): Promise<FakeDaraja> {
  const prompts: Prompt[] = []
  const paybill = createFakePaybill()
  const tokens = new Set<string>()

  const issueToken = ({ headers, query }: FakeRequest): FakeReply => {
    const isKnown = headers.authorization === `Basic ${btoa(`${KEY}:${SECRET}`)}`
    if (!isKnown || query.get('grant_type') !== 'client_credentials')
      return fault(400, '400.008.01', 'Invalid Authentication passed')
    const token = randomUUID()
    tokens.add(token)
    return { status: 200, body: { access_token: token, expires_in: '3599' } }
  }

  const acceptPrompt = (raw: string): FakeReply => {
    if (loopback.fault === 'reject') return fault(400, '400.002.02', 'Bad Request - Invalid PhoneNumber')
    const push = Push.safeParse(JSON.parse(raw))
    if (!push.success) {
      const field = String(push.error.issues[0]?.path[0])
      return fault(400, '400.002.02', `Bad Request - Invalid ${field}`)
    }
    const id = `ws_CO_${push.data.Timestamp}${String(prompts.length).padStart(12, '0')}`
    prompts.push({ push: push.data, id, result: null })
    return {
      status: 200,
      body: {
        MerchantRequestID: `29115-34620561-${prompts.length}`,
        CheckoutRequestID: id,
        ResponseCode: '0',
        ResponseDescription: 'Success. Request accepted for processing',
        CustomerMessage: 'Success. Request accepted for processing',
      },
    }
  }

  const replyWithStatus = (raw: string): FakeReply => {
    const { CheckoutRequestID } = Query.parse(JSON.parse(raw))
    const found = prompts.find(({ id }) => id === CheckoutRequestID)
    if (!found || loopback.fault === 'reject')
      return fault(400, '400.002.02', 'Bad Request - Invalid CheckoutRequestID')
    if (!found.result) return fault(500, '500.001.1001', 'The transaction is being processed')
    return {
      status: 200,
      body: {
        ResponseCode: '0',
        ResponseDescription: 'The service request has been accepted successsfully',
        MerchantRequestID: '29115-34620561-1',
        CheckoutRequestID,
        ResultCode: found.result.code,
        ResultDesc: 'A message of the provider.',
      },
    }
  }

  const loopback = await startLoopbackServer(
    (received) => {
      if (received.path === TOKEN_PATH) return issueToken(received)
      if (!tokens.has(received.headers.authorization?.replace(/^Bearer /, '') ?? ''))
        return fault(404, '404.001.03', 'Invalid Access Token')
      const handled = paybill.reply(received)
      if (handled) return handled
      const call = Call.safeParse(JSON.parse(received.raw))
      if (!call.success) return fault(400, '400.002.02', 'Bad Request - Invalid Timestamp')
      const { BusinessShortCode, Password, Timestamp } = call.data
      if (BusinessShortCode !== shortcode) return fault(500, '500.001.1001', 'Merchant does not exist')
      if (Password !== btoa(`${shortcode}${PASSKEY}${Timestamp}`))
        return fault(500, '500.001.1001', 'Wrong credentials')
      if (received.path === '/mpesa/stkpush/v1/processrequest') return acceptPrompt(received.raw)
      if (received.path === '/mpesa/stkpushquery/v1/query') return replyWithStatus(received.raw)
      return fault(404, '404.001.01', 'Resource not found')
    },
    ({ path }) => path === TOKEN_PATH,
  )

  const find = (reference: string): Prompt =>
    present(
      prompts.findLast(({ push }) => reference.endsWith(push.AccountReference)),
      `a prompt for ${reference} was sent`,
    )

  const decide = (reference: string, code: string) => {
    find(reference).result = { code, amount: 0 }
  }

  return {
    loopback,
    paybill,
    receiptOf: (reference) => receiptOf(find(reference)),
    variables: {
      DARAJA_CONSUMER_KEY: KEY,
      DARAJA_CONSUMER_SECRET: SECRET,
      DARAJA_SHORTCODE: shortcode,
      DARAJA_PASSKEY: PASSKEY,
      DARAJA_BASE_URL: loopback.url,
    },
    get orders() {
      return prompts.map(({ push, id }) => ({
        reference: push.AccountReference,
        providerRef: id,
        amount: String(push.Amount),
        currency: 'KES',
      }))
    },
    get pushes() {
      return prompts.map(({ push }) => push)
    },
    pay(reference, { amountMinor } = {}) {
      const found = find(reference)
      const amount = amountMinor === undefined ? found.push.Amount : Number(amountMinor) / 100
      found.result = { code: '0', amount }
    },
    decline: (reference) => decide(reference, '1032'),
    decide,
    reverse: (reference) => void find(reference),
    message: (reference) => ({
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Body: { stkCallback: callbackOf(find(reference)) } }),
    }),
    fault(kind) {
      loopback.fault = kind
    },
    heal() {
      loopback.fault = null
    },
    expireTokens: () => tokens.clear(),
    close: () => loopback.close(),
  }
}

/** Only a paid prompt has metadata. Before the payer decides, this is the webhook of a forger. */
function callbackOf({ id, push, result }: Prompt): object {
  const { code, amount } = result ?? { code: '0', amount: push.Amount }
  const callback = {
    MerchantRequestID: '29115-34620561-1',
    CheckoutRequestID: id,
    ResultCode: /^\d+$/.test(code) ? Number(code) : code,
    ResultDesc: 'A message of the provider.',
  }
  if (code !== '0') return callback
  const Item = [
    { Name: 'Amount', Value: amount },
    { Name: 'MpesaReceiptNumber', Value: receiptOf({ id }) },
    { Name: 'Balance' },
    { Name: 'TransactionDate', Value: Number(push.Timestamp) },
    { Name: 'PhoneNumber', Value: Number(push.PhoneNumber) },
  ]
  return { ...callback, CallbackMetadata: { Item } }
}

const receiptOf = ({ id }: Pick<Prompt, 'id'>): string => `NLJ${id.slice(-7)}`

const fault = (status: number, errorCode: string, errorMessage: string): FakeReply => ({
  status,
  body: { requestId: '11728-2929992-1', errorCode, errorMessage },
})

const Digits = z.string().regex(/^\d{5,7}$/)
const Phone = z.string().regex(/^254[17]\d{8}$/)
const Call = z.object({
  BusinessShortCode: Digits,
  Password: z.string(),
  Timestamp: z.string().regex(/^\d{14}$/),
})
const Query = z.object({ CheckoutRequestID: z.string() })
const Push = z.object({
  Timestamp: z.string(),
  TransactionType: z.enum(['CustomerPayBillOnline', 'CustomerBuyGoodsOnline']),
  Amount: z.int().min(1).max(250_000),
  PartyA: Phone,
  PartyB: Digits,
  PhoneNumber: Phone,
  CallBackURL: z.url().refine((url) => !/m-?pesa|safaricom|exe|cmd|sql|query/i.test(url)),
  AccountReference: z.string().min(1).max(12),
  TransactionDesc: z.string().min(1).max(13),
})
