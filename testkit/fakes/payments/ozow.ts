// A fake Ozow. It checks the key and the hash of every request, and lists one transaction per attempt of the payer.
//
// It has the limits of Ozow: a refund leaves the transaction complete, so `reverse` throws. A second request with the same
// reference opens another page and is not a duplicate.
import { randomUUID } from 'node:crypto'
import { isCurrency } from '@cowrie/server/src/kernel/money.ts'
import { majorText } from '@cowrie/server/src/payments/rails/amounts.ts'
import {
  messageHash,
  type OzowRequest,
  requestHash,
  sameHash,
} from '@cowrie/server/src/payments/rails/ozow/hash.ts'
import { refundHash } from '@cowrie/server/src/payments/rails/ozow/refund.ts'
import type { FakeProvider } from './fake-provider.ts'
import { createFakeRefunds, type FakeRefunds } from './fake-refunds.ts'
import {
  type FakeReply,
  type FakeRequest,
  type LoopbackServer,
  startLoopbackServer,
} from './loopback-server.ts'

export type FakeOzow = FakeProvider & {
  readonly loopback: LoopbackServer
  /** Refunds by API. */
  readonly ownRefunds: FakeRefunds
  /** Adds an attempt of the payer with this status. */
  attempt(reference: string, status: string, as?: Parameters<FakeProvider['pay']>[1]): void
}

type Transaction = {
  readonly transactionId: string
  readonly transactionReference: string
  readonly currencyCode: string
  /** A string with two decimals. The list has it as a number without trailing zeros. */
  readonly amount: string
  readonly status: string
  readonly createdDate: string
  readonly isTest: boolean
  /** A test transaction that the list also shows to queries for real ones. */
  readonly isStray: boolean
}

const TRANSACTIONS_MAX = 10
const SITE_CODE = 'TSTSITE0001'
const API_KEY = 'ozow-api-key'
const PRIVATE_KEY = 'ozow-private-key'
const TOKEN = 'ozow-refund-token'
const REFUND_STATUSES = { pending: 'Pending', processed: 'Complete', failed: 'Returned' }

export async function startFakeOzow(): Promise<FakeOzow> {
  const requests: (OzowRequest & { readonly paymentRequestId: string })[] = []
  const transactions: Transaction[] = []

  const ownRefunds = createFakeRefunds(9_000, () => new Date())
  const handle = (received: FakeRequest): FakeReply => {
    if (received.path.startsWith('/secure/refunds/')) return handleRefund(received)
    if (received.path === '/token' && received.method === 'POST') {
      const form = new URLSearchParams(received.raw)
      return received.headers.apikey === API_KEY && form.get('SiteCode') === SITE_CODE
        ? { status: 200, body: { access_token: TOKEN, token_type: 'bearer', expires_in: 3599 } }
        : { status: 401, body: { error: 'invalid_grant' } }
    }
    if (received.headers.apikey !== API_KEY) return { status: 401, body: { errorMessage: 'Unauthorized' } }
    if (received.path === '/postpaymentrequest' && received.method === 'POST') return createRequest(received)
    if (received.path === '/GetTransactionByReference' && received.method === 'GET')
      return listTransactions(received)
    return { status: 404, body: 'no such page' }
  }

  function handleRefund({ path, headers, raw }: FakeRequest): FakeReply {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { message: 'denied' } }
    if (path === '/secure/refunds/getrefunds')
      return {
        status: 200,
        body: ownRefunds.all.map(({ id, reference, amount, status }) => ({
          ...{ id, amount, currencyCode: 'ZAR', transactionReference: reference, siteCode: SITE_CODE },
          status: REFUND_STATUSES[status],
        })),
      }
    const [request] = JSON.parse(raw) as [Record<string, string>]
    const { transactionId = '', amount = '', refundReason = '', notifyUrl = '', HashCheck = '' } = request
    const paid = transactions.find((each) => each.transactionId === transactionId)
    const failed = (error: string): FakeReply => ({
      status: 200,
      body: [{ refundId: null, transactionId, errors: [error] }],
    })
    if (!sameHash(HashCheck, refundHash([transactionId, amount, refundReason, notifyUrl], PRIVATE_KEY)))
      return failed('HashCheck value has failed.')
    if (!paid || Number(amount) > Number(paid.amount)) return failed('The refund amount is invalid.')
    const added = ownRefunds.add({
      ...{ reference: paid.transactionReference, note: refundReason, amount: Number(amount) },
    })
    if (!added) return failed('The refund float is too low.')
    return {
      status: 200,
      body: [{ refundId: added.id, transactionId, refundAmount: Number(amount), errors: [] }],
    }
  }

  function createRequest({ raw }: FakeRequest): FakeReply {
    const { HashCheck, ...request } = JSON.parse(raw) as OzowRequest & { HashCheck: string }
    const refused = (errorMessage: string): FakeReply => ({
      status: 200,
      body: { paymentRequestId: null, url: null, errorMessage },
    })
    if (!sameHash(HashCheck, requestHash(request, PRIVATE_KEY))) return refused('HashCheck value has failed.')
    if (request.SiteCode !== SITE_CODE) return refused('The site was not found.')
    if (request.CountryCode !== 'ZA' || request.CurrencyCode !== 'ZAR') return refused('Not supported.')
    if (!/^\d+\.\d\d$/.test(request.Amount)) return refused('The amount is invalid.')
    if (!/^[\w .-]{1,50}$/.test(request.TransactionReference)) return refused('The reference is invalid.')
    if (!/^[a-z\d -]{1,20}$/i.test(request.BankReference)) return refused('The bank reference is invalid.')
    if (loopback.fault === 'reject') return refused('The amount exceeds the limit of the site.')
    const paymentRequestId = randomUUID()
    requests.push({ ...request, paymentRequestId })
    const url = `https://pay.ozow.com/${paymentRequestId}/Secure`
    return { status: 200, body: { paymentRequestId, url, errorMessage: null } }
  }

  function listTransactions({ query }: FakeRequest): FakeReply {
    if (loopback.fault === 'reject' || query.get('siteCode') !== SITE_CODE)
      return { status: 401, body: { errorMessage: 'Unauthorized' } }
    const isTest = query.get('isTest') === 'true'
    const found = transactions
      .filter((each) => each.transactionReference === query.get('transactionReference'))
      .filter((each) => each.isTest === isTest || each.isStray)
      .slice(-TRANSACTIONS_MAX)
      .reverse()
    return { status: 200, body: found.map(toListItem) }
  }

  const loopback = await startLoopbackServer(handle)
  const findRequest = (reference: string): OzowRequest => {
    const request = requests.findLast((each) => each.TransactionReference === reference)
    if (!request) throw new Error(`Ozow has no request for ${reference}`)
    return request
  }

  const fake: FakeOzow = {
    loopback,
    ownRefunds: ownRefunds.controls,
    variables: {
      OZOW_SITE_CODE: SITE_CODE,
      OZOW_API_KEY: API_KEY,
      OZOW_PRIVATE_KEY: PRIVATE_KEY,
      OZOW_BASE_URL: loopback.url,
    },
    get orders() {
      return requests.map((each) => ({
        reference: each.TransactionReference,
        providerRef: each.paymentRequestId,
        amount: each.Amount,
        currency: each.CurrencyCode,
      }))
    },
    attempt(reference, status, as = {}) {
      const request = findRequest(reference)
      const { amountMinor, currency = 'ZAR', test = false } = as
      transactions.push({
        transactionId: randomUUID(),
        transactionReference: reference,
        currencyCode: currency,
        amount:
          amountMinor === undefined
            ? request.Amount
            : majorText(amountMinor, isCurrency(currency) ? currency : 'ZAR', 2),
        status,
        createdDate: `2026-11-15T09:${String(transactions.length % 60).padStart(2, '0')}:00`,
        isTest: test || request.IsTest === 'true',
        isStray: test,
      })
    },
    pay: (reference, as) => fake.attempt(reference, 'Complete', as),
    decline: (reference) => fake.attempt(reference, 'Cancelled'),
    reverse() {
      throw new Error('Ozow keeps a refunded transaction complete')
    },
    message(reference) {
      if (!transactions.some((each) => each.transactionReference === reference))
        fake.attempt(reference, 'Pending')
      const last = transactions.findLast((each) => each.transactionReference === reference)
      return {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: last ? ozowMessage(last) : '',
      }
    },
    fault(kind) {
      loopback.fault = kind
    },
    heal() {
      loopback.fault = null
    },
    close: () => loopback.close(),
  }
  return fake
}

const toListItem = ({ amount, isStray: _, ...transaction }: Transaction) => ({
  ...transaction,
  siteCode: SITE_CODE,
  amount: Number(amount),
  statusMessage: '',
})

function ozowMessage(transaction: Transaction): string {
  const message = new URLSearchParams({
    SiteCode: SITE_CODE,
    TransactionId: transaction.transactionId,
    TransactionReference: transaction.transactionReference,
    Amount: transaction.amount,
    Status: transaction.status,
    Optional1: '',
    Optional2: '',
    Optional3: '',
    Optional4: '',
    Optional5: '',
    CurrencyCode: transaction.currencyCode,
    IsTest: String(transaction.isTest),
    StatusMessage: '',
  })
  message.set('Hash', messageHash(message, PRIVATE_KEY))
  // The hash does not cover the fields after it.
  message.set('SubStatus', 'Unclassified')
  message.set('BankName', 'Absa Bank')
  return message.toString()
}
