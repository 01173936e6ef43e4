// A fake Paystack: its checks, its state and its replies, including the unusual ones.
import { type Currency, describeCurrency, isCurrency } from '@cowrie/server/src/kernel/money.ts'
import { paystackSignature } from '@cowrie/server/src/payments/rails/paystack/webhook.ts'
import type { FakeProvider } from './fake-provider.ts'
import { createListPages, type ListPages } from './list-pages.ts'
import { type FakeReply, type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import {
  type Body,
  createFakeCards,
  describeCard,
  type FakeCards,
  ok,
  refusal,
  type Transaction,
} from './paystack-cards.ts'
import { createFakeReturns, type FakeReturns } from './paystack-returns.ts'

export type FakePaystack = FakeProvider &
  Pick<LoopbackServer, 'requests' | 'scriptedReplies'> & {
    /** Overrides fields of the status reply; undefined removes one. */
    override(reference: string, fields: Record<string, unknown>): void
    /** A webhook with this body and a valid signature. */
    signedMessage(body: string): ReturnType<FakeProvider['message']>
    /** The currencies of the account. Default: those of every country. */
    setCurrencies(currencies: readonly string[]): void
    /** The cards that pay on the page and are charged later. */
    readonly cards: FakeCards
    /** Refunds from the dashboard and disputes of payers. */
    readonly returns: FakeReturns
    /** The lists of the account. */
    readonly lists: ListPages
    /** Records a paid transaction, also one that we never started. */
    addPaid(paid: PaidTransaction): void
    /** Deletes a transaction and its returns: neither the list nor the status query knows it any longer. */
    remove(reference: string): void
  }

export type PaidTransaction = {
  readonly id: number
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly createdAt: Date
}

const SECRET = 'sk_live_fake'
// The one-time code of the payer's network. Others are rejected.
export const OTP = '123456'

/** `fault('reject')` rejects new payments. Paystack sends no webhook about failures; `message` returns one anyway. */
export async function startFakePaystack(): Promise<FakePaystack> {
  const transactions = new Map<string, Transaction>()
  /** All transactions, oldest first; null after a change. */
  let listed: readonly Transaction[] | null = null
  const store = (transaction: Transaction): void => {
    transactions.set(transaction.reference, transaction)
    listed = null
  }
  let currencies: readonly string[] = ['NGN', 'USD', 'GHS', 'KES', 'ZAR', 'XOF']
  const find = (reference: string): Transaction => {
    const found = transactions.get(reference)
    if (!found) throw new Error(`Paystack has no transaction ${reference}`)
    return found
  }
  const begin = (body: Body): Transaction | FakeReply => {
    const refused = validate(body, transactions)
    if (refused) return refused
    const transaction = newTransaction(body, transactions.size + 1, lists.now())
    store(transaction)
    return transaction
  }
  const lists = createListPages()
  const cards = createFakeCards({ find, begin })
  const signedMessage = (body: string) => ({
    headers: { 'content-type': 'application/json', 'x-paystack-signature': paystackSignature(body, SECRET) },
    body,
  })
  const returns = createFakeReturns(
    find,
    signedMessage,
    lists.now,
    (id) => [...transactions.values()].find((each) => String(each.id) === id),
    () => loopback.url,
  )
  const listAnswer = (path: string, query: URLSearchParams): FakeReply | null => {
    if (!LIST_PATHS.has(path)) return null
    listed ??= [...transactions.values()]
    const all: readonly ({ createdAt: Date } | Transaction)[] =
      path === '/transaction' ? listed : path === '/refund' ? returns.refunds() : returns.disputes()
    const page = lists.pageOf(all, {
      from: new Date(query.get('from') ?? 0),
      until: new Date(query.get('to') ?? 0),
      page: Number(query.get('page')),
      isFaulty: path === '/transaction',
    })
    if (page === 'outage') return { status: 502, body: 'upstream unavailable' }
    const { total, pages: pageCount } = page
    const rows = page.rows.map((row) => ('overrides' in row ? describeListed(row) : row))
    const meta = { total, skipped: 0, perPage: 100, page: Number(query.get('page')), pageCount }
    return { status: 200, body: { status: true, message: 'Retrieved', data: rows, meta } }
  }
  const loopback = await startLoopbackServer((received) => {
    const { method, path } = received
    // A signed address takes the file without our key.
    if (method === 'PUT' && path.startsWith('/files/')) {
      returns.storeFile(path, received.raw)
      return { status: 200, body: '' }
    }
    if (received.headers.authorization !== `Bearer ${SECRET}`)
      return refusal(401, 'Invalid key', 'invalid_Key')
    if (path === '/balance')
      return ok(
        'Balances retrieved',
        currencies.map((currency) => ({ currency, balance: 0 })),
      )
    if (method === 'GET')
      return (
        returns.answer(path, received.query) ??
        listAnswer(path, received.query) ??
        verifyAnswer(path, transactions)
      )
    const body = JSON.parse(received.raw) as Body
    const changed = returns.change(path, body)
    if (changed) return changed
    if (path === '/charge/submit_otp') return otpAnswer(body, transactions)
    if (path === '/customer/authorization/deactivate') return cards.deactivate(body)
    if (!CREATE_PATHS.has(path)) return refusal(404, 'Not found')
    if (loopback.fault === 'reject')
      return { status: 200, body: { status: false, message: 'Invalid Amount Sent' } }
    if (path === '/transaction/charge_authorization') return cards.charge(body)
    const transaction = begin(body)
    if (transaction === 'never' || 'body' in transaction) return transaction
    return path === '/charge' ? chargeAnswer(body, transaction) : pageAnswer(transaction)
  })
  return {
    // One fake answers for the accounts of all countries.
    variables: {
      PAYSTACK_SECRET_KEY: SECRET,
      ...Object.fromEntries(
        ['GH', 'KE', 'ZA', 'CI'].map((country) => [`PAYSTACK_SECRET_KEY_${country}`, SECRET]),
      ),
      PAYSTACK_BASE_URL: loopback.url,
    },
    requests: loopback.requests,
    scriptedReplies: loopback.scriptedReplies,
    get orders() {
      return [...transactions.values()].map(({ reference, requested, currency }) => ({
        reference,
        providerRef: null,
        amount: String(requested),
        currency,
      }))
    },
    pay(reference, { amountMinor, currency, test } = {}) {
      const transaction = find(reference)
      if (currency !== undefined) transaction.currency = currency
      if (amountMinor !== undefined) {
        transaction.amount = Number(amountMinor) * factorOf(transaction.currency)
        transaction.requested = transaction.amount
      }
      if (test) transaction.domain = 'test'
      if (transaction.isPage) cards.authorize(transaction)
      transaction.status = 'success'
    },
    decline: (reference) => {
      find(reference).status = 'failed'
    },
    reverse: (reference) => {
      find(reference).status = 'reversed'
    },
    override: (reference, fields) => {
      Object.assign(find(reference).overrides, fields)
    },
    setCurrencies: (others) => {
      currencies = others
    },
    signedMessage,
    cards: cards.controls,
    returns: returns.controls,
    lists: lists.controls,
    addPaid({ id, reference, amountMinor, currency, createdAt }) {
      const amount = Number(amountMinor) * factorOf(currency)
      const body = { reference, email: 'payer@example.com', amount, currency }
      store({ ...newTransaction(body, id, createdAt), status: 'success' })
    },
    remove: (reference) => {
      returns.remove(find(reference).id)
      transactions.delete(reference)
      listed = null
    },
    message: (reference) => signedMessage(JSON.stringify(eventAbout(find(reference)))),
    fault: (kind) => {
      loopback.fault = kind
    },
    heal: () => {
      loopback.fault = null
    },
    close: loopback.close,
  }
}

const factorOf = (currency: string): number =>
  isCurrency(currency) ? 100 / describeCurrency(currency as Currency).minorUnit : 1

const LIST_PATHS = new Set(['/transaction', '/refund', '/dispute'])
const CREATE_PATHS = new Set(['/transaction/initialize', '/charge', '/transaction/charge_authorization'])

function verifyAnswer(path: string, transactions: Map<string, Transaction>): FakeReply {
  const reference = path.replace('/transaction/verify/', '')
  if (reference === path) return refusal(404, 'Not found')
  const transaction = transactions.get(reference)
  if (!transaction) return refusal(400, 'Transaction reference not found.', 'transaction_not_found')
  return ok('Verification successful', { ...describeTransaction(transaction), ...transaction.overrides })
}

function validate(body: Body, transactions: Map<string, Transaction>): FakeReply | null {
  if (!/^[^@\s]+@[^@\s]+$/.test(String(body.email))) return refusal(400, 'Invalid Email Address Passed')
  if (!Number.isSafeInteger(Number(body.amount)) || Number(body.amount) <= 0)
    return refusal(400, 'Invalid Amount Sent')
  if (!/^[\w.=-]+$/.test(String(body.reference))) return refusal(400, 'Invalid characters in reference')
  if (transactions.has(String(body.reference)))
    return refusal(400, 'Duplicate Transaction Reference', 'duplicate_reference')
  const { mobile_money: wallet } = body as { mobile_money?: { phone: string; provider: string } }
  const format = wallet?.provider === 'mpesa' ? /^\+254\d{9}$/ : /^0\d{9}$/
  if (wallet && !format.test(wallet.phone)) return refusal(400, 'Invalid phone number')
  return null
}

const newTransaction = (body: Body, id: number, createdAt: Date): Transaction => ({
  id,
  reference: String(body.reference),
  email: String(body.email),
  status: 'abandoned',
  requested: Number(body.amount),
  amount: Number(body.amount),
  currency: String(body.currency),
  domain: 'live',
  createdAt,
  overrides: {},
})

function pageAnswer(transaction: Transaction): FakeReply {
  const { reference } = transaction
  transaction.isPage = true
  return ok('Authorization URL created', {
    authorization_url: `https://checkout.paystack.com/${reference}`,
    access_code: reference,
    reference,
  })
}

/** USSD shows a code to dial, Telecel sends the payer a voucher code, Ozow has a page, and the others prompt on the phone. */
function chargeAnswer(body: Body, transaction: Transaction): FakeReply {
  const { reference } = transaction
  const { ussd, mobile_money: wallet } = body as {
    ussd?: { type: string }
    mobile_money?: { provider: string }
  }
  if (body.eft) {
    transaction.status = 'open_url'
    return ok('Charge attempted', {
      reference,
      status: 'open_url',
      url: `https://checkout.paystack.com/${reference}`,
    })
  }
  transaction.status = wallet?.provider === 'vod' ? 'send_otp' : 'pay_offline'
  const { status } = transaction
  if (ussd) {
    const ussd_code = `*${ussd.type}*33*4*18791#`
    const display_text = `Please dial ${ussd_code} on your mobile phone to complete the transaction`
    return ok('Charge attempted', { reference, status, ussd_code, display_text })
  }
  const display_text =
    status === 'send_otp'
      ? 'Please dial *110# to generate a voucher code, and enter it here'
      : 'Please complete the authorization process on your mobile phone'
  return ok('Charge attempted', { reference, status, display_text })
}

function otpAnswer({ reference, otp }: Body, transactions: Map<string, Transaction>): FakeReply {
  const transaction = transactions.get(String(reference))
  if (transaction?.status !== 'send_otp') return refusal(400, 'Transaction reference is invalid')
  if (otp !== OTP) return refusal(400, 'Token is not valid')
  transaction.status = 'pending'
  return ok('Charge attempted', { reference, status: 'pending' })
}

const describeTransaction = (transaction: Transaction) => {
  const { id, reference, status, amount, requested, currency, domain, declined } = transaction
  return {
    ...{ id, domain, status, reference, amount, requested_amount: requested, currency },
    message: null,
    fees: feesOf(transaction),
    gateway_response: status === 'failed' ? (declined ?? 'Insufficient Funds') : 'Approved',
    metadata: '',
    ...describeCard(transaction),
  }
}

/** Paystack takes 1.5 percent. */
const feesOf = ({ amount }: Transaction): number => Math.round(amount * 0.015)

const describeListed = (transaction: Transaction) => ({
  ...describeTransaction(transaction),
  ...transaction.overrides,
  created_at: transaction.createdAt.toISOString(),
  paid_at: transaction.status === 'success' ? transaction.createdAt.toISOString() : null,
})

function eventAbout(transaction: Transaction): object {
  const { status, reference, amount, currency, domain } = transaction
  // Refund events have a string amount and no id.
  if (status === 'reversed')
    return {
      event: 'refund.processed',
      data: {
        status: 'processed',
        transaction_reference: reference,
        amount: String(amount),
        currency,
        domain,
      },
    }
  return {
    event: `charge.${status}`,
    data: { ...describeTransaction(transaction), ...transaction.overrides },
  }
}
