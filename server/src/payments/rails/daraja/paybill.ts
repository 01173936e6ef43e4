// Payments by hand at the paybill (C2B in Daraja): registering our URLs, and asking for the status of a receipt. M-Pesa accepts
// the question at once and posts the answer to a URL later.

import { z } from 'zod'
import { minorFromMajor } from '../amounts.ts'
import type { HttpClient, HttpResponse } from '../http-client.ts'
import { RailConfigurationError } from '../keys.ts'
import { failureReason, type WithToken } from '../oauth-token.ts'
import { parseJsonExactly } from '../parse.ts'
import type { PaybillApi, PaybillReply, ReceiptStatus, Variables } from '../rail.ts'
import { redactedDetail } from '../text.ts'

/** Null when the paybill is not configured. */
export function openPaybill(variables: Variables, base: string, withToken: WithToken): PaybillApi | null {
  const { DARAJA_C2B_SHORTCODE: shortcode } = variables
  const { DARAJA_INITIATOR_NAME: initiator, DARAJA_SECURITY_CREDENTIAL: credential } = variables
  if (Boolean(initiator) !== Boolean(credential))
    throw new RailConfigurationError([
      'DARAJA_INITIATOR_NAME and DARAJA_SECURITY_CREDENTIAL must be used together.',
    ])
  if (!shortcode) {
    if (initiator) throw new RailConfigurationError(['DARAJA_C2B_SHORTCODE is not set.'])
    return null
  }
  if (!/^\d{5,7}$/.test(shortcode))
    throw new RailConfigurationError(['DARAJA_C2B_SHORTCODE is not a shortcode of 5 to 7 digits.'])
  const post = (http: HttpClient, path: string, fields: object) =>
    call(http, withToken, `${base}${path}`, fields)
  const registerUrls: PaybillApi['registerUrls'] = (http, { validationUrl, confirmationUrl, responseType }) =>
    post(http, '/mpesa/c2b/v2/registerurl', {
      ShortCode: shortcode,
      ResponseType: responseType,
      ConfirmationURL: confirmationUrl,
      ValidationURL: validationUrl,
    })
  if (!initiator || !credential) return { shortcode, registerUrls }
  return {
    shortcode,
    registerUrls,
    inquire: (http, { receipt, resultUrl, timeoutUrl }) =>
      post(http, '/mpesa/transactionstatus/v1/query', {
        Initiator: initiator,
        SecurityCredential: credential,
        CommandID: 'TransactionStatusQuery',
        TransactionID: receipt,
        PartyA: shortcode,
        // A paybill.
        IdentifierType: '4',
        ResultURL: resultUrl,
        QueueTimeOutURL: timeoutUrl,
        Remarks: 'Top-up by hand',
        Occasion: '',
      }),
  }
}

async function call(
  http: HttpClient,
  withToken: WithToken,
  address: string,
  fields: object,
): Promise<PaybillReply> {
  try {
    const answer = await withToken(http, (token) =>
      http.call(address, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      }),
    )
    return readReply(answer)
  } catch (error) {
    return { status: 'unknown', reason: failureReason(error) }
  }
}

function readReply({ status, json }: HttpResponse): PaybillReply {
  const accepted = Accepted.safeParse(json)
  if (status === 200 && accepted.success && /^0+$/.test(accepted.data.ResponseCode))
    return { status: 'accepted', conversationId: accepted.data.OriginatorConversationID }
  const { errorCode, errorMessage } = Refused.parse(json)
  const detail = redactedDetail(`status ${status}`, errorCode, errorMessage)
  return { status: status >= 500 && errorCode === null ? 'unknown' : 'refused', reason: detail }
}

/** A payment at the paybill, as a validation or confirmation tells it. Null when it names no receipt. */
export function readPaybillNotice(raw: Buffer) {
  const notice = Notice.safeParse(parseJsonExactly(raw.toString('utf8')))
  if (!notice.success) return null
  const { TransID, TransAmount, BusinessShortCode, BillRefNumber } = notice.data
  return {
    receipt: TransID,
    shortcode: BusinessShortCode,
    accountText: BillRefNumber,
    amountMinor: positive(minorFromMajor(TransAmount, 'KES')),
  }
}

/** The answer to a status query. Null when it has an unknown shape. */
export function readReceiptStatus(raw: Buffer): ReceiptStatus | null {
  const parsed = Answer.safeParse(parseJsonExactly(raw.toString('utf8')))
  if (!parsed.success) return null
  const { OriginatorConversationID: conversationId, ResultCode, ResultDesc } = parsed.data.Result
  if (String(ResultCode) !== '0')
    return { conversationId, found: false, detail: redactedDetail(`result ${ResultCode}`, ResultDesc) }
  const facts = new Map(
    [parsed.data.Result.ResultParameters?.ResultParameter ?? []].flat().map(({ Key, Value }) => [Key, Value]),
  )
  const text = (key: string) => {
    const value = facts.get(key)
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, 100) : ''
  }
  return {
    conversationId,
    found: true,
    receipt: text('ReceiptNo'),
    amountMinor: positive(minorFromMajor(facts.get('Amount'), 'KES')),
    isCompleted: text('TransactionStatus') === 'Completed',
    detail: redactedDetail(`status ${text('TransactionStatus') || 'missing'}`),
    // "600000 - Name of the business"
    payee: /^(\d{5,7})\b/.exec(text('CreditPartyName'))?.[1] ?? null,
  }
}

const positive = (minor: bigint | null): bigint | null => (minor !== null && minor > 0n ? minor : null)

const Accepted = z.object({
  ResponseCode: z.coerce.string(),
  // Misspelt in replies of the registration.
  OriginatorConversationID: z.string().max(100).nullable().catch(null).default(null),
})
const Refused = z
  .object({
    errorCode: z.coerce.string().nullable().catch(null).default(null),
    errorMessage: z.string().nullable().catch(null).default(null),
  })
  .catch({ errorCode: null, errorMessage: null })
const words = (most: number) =>
  z.coerce
    .string()
    .transform((text) => text.trim().slice(0, most).replaceAll('\0', ' ').toWellFormed())
    .catch('')
const Notice = z.object({
  TransID: z.string().regex(/^[A-Z0-9]{6,20}$/),
  TransAmount: z.unknown(),
  BusinessShortCode: words(20),
  BillRefNumber: z.preprocess((value) => value ?? '', words(100)),
})
const Answer = z.object({
  Result: z.object({
    ResultCode: z.union([z.int(), z.string().max(40)]),
    ResultDesc: words(200),
    OriginatorConversationID: z.string().max(100).nullable().catch(null).default(null),
    ResultParameters: z
      .object({
        ResultParameter: z.union([
          z.array(z.object({ Key: z.string(), Value: z.unknown() })).max(60),
          z.object({ Key: z.string(), Value: z.unknown() }),
        ]),
      })
      .nullish()
      .catch(null),
  }),
})
