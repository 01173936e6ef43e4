// The part of the fake Daraja for payments by hand: registered URLs, the messages about a payment, and status queries whose
// answers the test sends.
import { present } from '@cowrie/server/src/kernel/assert.ts'
import { z } from 'zod'
import type { FakeReply, FakeRequest } from './loopback-server.ts'

export const PAYBILL = '600000'
const INITIATOR = 'apiop'
const CREDENTIAL = 'ZW5jcnlwdGVkIHBhc3N3b3Jk'

export const paybillVariables = {
  DARAJA_C2B_SHORTCODE: PAYBILL,
  DARAJA_INITIATOR_NAME: INITIATOR,
  DARAJA_SECURITY_CREDENTIAL: CREDENTIAL,
}

/** A payment at the paybill. `account` is the account number that the payer typed. */
export type HandPayment = { receipt: string; account: string; amount: string; shortcode: string }
export type Inquiry = z.infer<typeof StatusQuery> & { conversationId: string }

export type FakePaybill = {
  readonly registrations: readonly z.infer<typeof Registration>[]
  /** The accepted status queries, oldest first. */
  readonly inquiries: readonly Inquiry[]
  /** A new payment. `receipt` repeats an earlier one. */
  pay(account: string, amount?: string, changes?: Partial<HandPayment>): HandPayment
  /** The body of a validation or confirmation. */
  notice(payment: HandPayment): string
  lastInquiry(receipt: string): Inquiry
  /** The answer to a status query. Facts in `changes` replace those of the payment. */
  answer(inquiry: Inquiry, changes?: Record<string, unknown>, result?: Record<string, unknown>): string
  /** The body that M-Pesa posts when it did not process a status query in time. */
  timeout(inquiry: Inquiry): string
  /** Null where the path is another one. */
  reply(request: FakeRequest): FakeReply | null
}

export function createFakePaybill(): FakePaybill {
  const payments: HandPayment[] = []
  const inquiries: Inquiry[] = []
  const registrations: z.infer<typeof Registration>[] = []

  function register(raw: string): FakeReply {
    const read = Registration.safeParse(JSON.parse(raw))
    if (!read.success) return fault(400, '400.003.02', 'Bad Request - Invalid ConfirmationURL')
    if (registrations.length > 0) return fault(500, '500.003.1001', 'URLs are already registered')
    registrations.push(read.data)
    return {
      status: 200,
      body: {
        OriginatorCoversationID: '6e86-45dd-91ac-fd5d4178ab52523408729',
        ResponseCode: '0',
        ResponseDescription: 'Success',
      },
    }
  }

  function accept(raw: string): FakeReply {
    const read = StatusQuery.safeParse(JSON.parse(raw))
    if (!read.success) return fault(400, '400.002.02', 'Bad Request - Invalid ResultURL')
    const conversationId = `1236-7134259-${inquiries.length + 1}`
    inquiries.push({ ...read.data, conversationId })
    return {
      status: 200,
      body: {
        OriginatorConversationID: conversationId,
        ConversationID: `AG_20261119_${inquiries.length}`,
        ResponseCode: '0',
        ResponseDescription: 'Accept the service request successfully.',
      },
    }
  }

  return {
    registrations,
    inquiries,
    pay(account, amount = '1500.00', changes = {}) {
      const receipt = `RKT${String(payments.length + 1).padStart(7, '0')}`
      const payment = { receipt, account, amount, shortcode: PAYBILL, ...changes }
      payments.push(payment)
      return payment
    },
    notice: ({ receipt, account, amount, shortcode }) =>
      JSON.stringify({
        TransactionType: 'Pay Bill',
        TransID: receipt,
        TransTime: '20261119063845',
        TransAmount: amount,
        BusinessShortCode: shortcode,
        BillRefNumber: account,
        InvoiceNumber: '',
        OrgAccountBalance: '49197.00',
        ThirdPartyTransID: '',
        MSISDN: '2547 ***** 149',
        FirstName: 'John',
      }),
    lastInquiry: (receipt) =>
      present(
        inquiries.findLast(({ TransactionID }) => TransactionID === receipt),
        `the status of ${receipt} was asked`,
      ),
    answer(inquiry, changes = {}, result = {}) {
      const paid = payments.find(({ receipt }) => receipt === inquiry.TransactionID)
      const facts = {
        DebitPartyName: '254708374149 - John Doe',
        CreditPartyName: `${paid?.shortcode ?? PAYBILL} - Cowrie Limited`,
        ReceiptNo: inquiry.TransactionID,
        Amount: Number(paid?.amount),
        TransactionStatus: 'Completed',
        ReasonType: 'Pay Bill Online',
        InitiatedTime: 20261119063845,
        FinalisedTime: 20261119063845,
        ...changes,
      }
      return JSON.stringify({
        Result: {
          ResultType: 0,
          ResultCode: 0,
          ResultDesc: 'The service request is processed successfully.',
          OriginatorConversationID: inquiry.conversationId,
          ConversationID: 'AG_20261119_1',
          TransactionID: 'RKT0000000',
          ResultParameters: {
            ResultParameter: Object.entries(facts).map(([Key, Value]) => ({ Key, Value })),
          },
          ReferenceData: { ReferenceItem: { Key: 'Occasion' } },
          ...result,
        },
      })
    },
    timeout: ({ conversationId }) =>
      JSON.stringify({
        Result: { ResultCode: 1, ResultDesc: 'Timeout', OriginatorConversationID: conversationId },
      }),
    reply({ path, raw }) {
      if (path === '/mpesa/c2b/v2/registerurl') return register(raw)
      return path === '/mpesa/transactionstatus/v1/query' ? accept(raw) : null
    },
  }
}

const fault = (status: number, errorCode: string, errorMessage: string): FakeReply => ({
  status,
  body: { requestId: '11728-2929992-1', errorCode, errorMessage },
})

const Url = z.url().refine((url) => !/m-?pesa|safaricom|exe|cmd|sql|query/i.test(url))
const Registration = z.object({
  ShortCode: z.literal(PAYBILL),
  ResponseType: z.enum(['Completed', 'Cancelled']),
  ConfirmationURL: Url,
  ValidationURL: Url,
})
const StatusQuery = z.object({
  Initiator: z.literal(INITIATOR),
  SecurityCredential: z.literal(CREDENTIAL),
  CommandID: z.literal('TransactionStatusQuery'),
  TransactionID: z.string(),
  PartyA: z.literal(PAYBILL),
  IdentifierType: z.literal('4'),
  ResultURL: Url,
  QueueTimeOutURL: Url,
  Remarks: z.string().min(1).max(100),
})
