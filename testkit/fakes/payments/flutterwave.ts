// A fake Flutterwave: its checks, its state and its replies, including the unusual ones.
import { describeCurrency, isCurrency } from '@cowrie/server/src/kernel/money.ts'
import { majorText } from '@cowrie/server/src/payments/rails/amounts.ts'
import type { FakeProvider } from './fake-provider.ts'
import { createFakeRefunds, type FakeRefund, type FakeRefunds } from './fake-refunds.ts'
import { createListPages, type ListPages } from './list-pages.ts'
import {
  type FakeReply,
  type FakeRequest,
  type LoopbackServer,
  startLoopbackServer,
} from './loopback-server.ts'

type Page = { reference: string; amount: number; currency: string }
type Attempt = {
  id: number
  tx_ref: string
  flw_ref: string
  amount: number
  charged_amount: number
  app_fee: number
  currency: string
  status: string
  processor_response: string
  createdAt: Date
}

export type FakeFlutterwave = FakeProvider &
  Pick<LoopbackServer, 'requests' | 'scriptedReplies'> & {
    /** Overrides fields of the latest attempt; undefined removes one. */
    override(reference: string, fields: Record<string, unknown>): void
    /** Refunds a part of the latest attempt from the dashboard, in major units, and returns the webhook. */
    refund(reference: string, amount: number): ReturnType<FakeProvider['message']>
    /** Opens a chargeback of a part of the latest attempt, or changes its status. */
    chargeback(reference: string, amount: number, status: string, dueAt?: Date): void
    /** Refunds by API. */
    readonly ownRefunds: FakeRefunds
    /** Our answers to chargebacks, oldest first. */
    readonly answers: readonly { id: number; action: string; comment: string }[]
    /** The lists of the account. */
    readonly lists: ListPages
  }

/** Flutterwave lists the balances of all countries for every account. */
const CURRENCIES = 'NGN USD GHS KES UGX TZS RWF ZAR ZMW XOF XAF EGP GBP EUR'
const BALANCES = CURRENCIES.split(' ').map((currency) => ({
  currency,
  available_balance: 0,
  ledger_balance: 0,
}))
const SECRET = 'FLWSECK-fake-X'
const HASH = 'shared webhook hash'

/**
 * A page has no transaction until the payer pays: `decline` and `pay` each add an attempt under the same reference, and the
 * query by reference returns the first. `fault('reject')` rejects new pages. A reference can get a second page until it was
 * paid.
 */
export async function startFakeFlutterwave(): Promise<FakeFlutterwave> {
  const pages: Page[] = []
  const attempts: Attempt[] = []
  const refunds: Refund[] = []
  const chargebacks: Chargeback[] = []
  const lists = createListPages()
  const ownRefunds = createFakeRefunds(600, lists.now)
  const answers: { id: number; action: string; comment: string }[] = []
  const addAttempt = (reference: string, status: string): Attempt => {
    const page = pages.find((each) => each.reference === reference)
    if (!page) throw new Error(`Flutterwave has no page for ${reference}`)
    const { amount, currency } = page
    const waiting = attempts.find((each) => each.tx_ref === reference && each.status === 'pending')
    if (waiting) return Object.assign(waiting, { status })
    const id = attempts.length + 1
    const processor_response = status === 'successful' ? 'Approved by Financial Institution' : 'Declined'
    const attempt = {
      ...{
        id,
        tx_ref: reference,
        flw_ref: `FLW${id}`,
        amount,
        charged_amount: amount + 21,
        app_fee: 21,
        currency,
      },
      ...{ status, processor_response, createdAt: lists.now() },
    }
    attempts.push(attempt)
    return attempt
  }
  const latest = (reference: string) => attempts.findLast((each) => each.tx_ref === reference)
  const loopback = await startLoopbackServer((received) =>
    answer(received, {
      ...{ pages, attempts, refunds, chargebacks, lists, ownRefunds, answers },
      rejects: loopback.fault === 'reject',
    }),
  )
  return {
    variables: {
      FLUTTERWAVE_SECRET_KEY: SECRET,
      FLUTTERWAVE_WEBHOOK_HASH: HASH,
      FLUTTERWAVE_BASE_URL: `${loopback.url}/v3`,
    },
    requests: loopback.requests,
    scriptedReplies: loopback.scriptedReplies,
    get orders() {
      return pages.map(({ reference, amount, currency }) => ({
        ...{ reference, providerRef: null, amount: String(amount), currency },
      }))
    },
    pay(reference, { amountMinor, currency, test } = {}) {
      const attempt = addAttempt(reference, 'successful')
      if (currency !== undefined) attempt.currency = currency
      if (amountMinor !== undefined) attempt.amount = majorOf(amountMinor, attempt.currency)
      if (test) attempt.flw_ref = `FLW-MOCK-${attempt.id}`
    },
    decline: (reference) => {
      addAttempt(reference, 'failed')
    },
    reverse: (reference) => {
      Object.assign(latest(reference) ?? addAttempt(reference, 'reversed'), { status: 'reversed' })
    },
    override: (reference, fields) => {
      Object.assign(latest(reference) ?? addAttempt(reference, 'pending'), fields)
    },
    refund(reference, amount_refunded) {
      const { id: tx_id = 0, flw_ref = '' } = latest(reference) ?? {}
      const refund = { id: 500 + refunds.length, tx_id, amount_refunded, status: 'completed' }
      const createdAt = lists.now()
      refunds.push({ ...refund, createdAt })
      const data = { id: refund.id, AmountRefunded: amount_refunded, status: 'completed', FlwRef: flw_ref }
      const body = JSON.stringify({ event: 'refund.completed', data: { ...data, TransactionId: tx_id } })
      return { headers: { 'content-type': 'application/json', 'verif-hash': HASH }, body }
    },
    chargeback(reference, amount, status, dueAt) {
      const { id: transaction_id = 0 } = latest(reference) ?? {}
      const existing = chargebacks.find((each) => each.transaction_id === transaction_id)
      if (existing) existing.status = status
      else {
        const createdAt = lists.now()
        const due_date = dueAt?.toISOString() ?? null
        chargebacks.push({
          id: 300 + chargebacks.length,
          transaction_id,
          amount,
          status,
          due_date,
          createdAt,
        })
      }
    },
    message(reference) {
      const data = latest(reference) ?? { id: 0, tx_ref: reference, status: 'pending' }
      const body = JSON.stringify({ event: 'charge.completed', 'event.type': 'CARD_TRANSACTION', data })
      return { headers: { 'content-type': 'application/json', 'verif-hash': HASH }, body }
    },
    ownRefunds: ownRefunds.controls,
    answers,
    lists: lists.controls,
    fault: (kind) => {
      loopback.fault = kind
    },
    heal: () => {
      loopback.fault = null
    },
    close: loopback.close,
  }
}

const majorOf = (minor: bigint, currency: string): number =>
  Number(majorText(minor, isCurrency(currency) ? describeCurrency(currency).code : 'USD'))

type Refund = { id: number; tx_id: number; amount_refunded: number; status: string; createdAt: Date }
type Chargeback = {
  id: number
  transaction_id: number
  amount: number
  status: string
  due_date: string | null
  createdAt: Date
}
type State = {
  pages: Page[]
  attempts: Attempt[]
  refunds: Refund[]
  chargebacks: Chargeback[]
  lists: ReturnType<typeof createListPages>
  ownRefunds: ReturnType<typeof createFakeRefunds>
  answers: { id: number; action: string; comment: string }[]
  rejects: boolean
}

function answer(received: FakeRequest, state: State): FakeReply {
  const { method, path, query, headers, raw } = received
  const { pages, attempts, rejects } = state
  if (headers.authorization !== `Bearer ${SECRET}`) return error(401, 'Invalid authorization key')
  const reference = query.get('tx_ref')
  const ofReference = attempts.filter((each) => each.tx_ref === reference)
  if (method === 'POST' && path === '/v3/payments') {
    if (rejects) return error(400, 'Currency not enabled for this merchant')
    return pageAnswer(JSON.parse(raw) as Record<string, unknown>, pages, attempts)
  }
  if (method === 'POST' && path === '/v3/charges') return chargeAnswer(received, state)
  if (path === '/v3/balances') return ok('Wallet balances fetched', BALANCES)
  const changed = method === 'GET' ? null : changeAnswer(path, raw, state)
  if (changed) return changed
  const refundId = /^\/v3\/refunds\/(\d+)$/.exec(path)?.[1]
  const refund = state.ownRefunds.all.find((each) => each.id === refundId)
  if (refund) return ok('Refund fetched', describeRefund(refund, attempts))
  if (path === '/v3/refunds')
    return listAnswer(state, query, [
      ...state.refunds,
      ...state.ownRefunds.all.map((each) => ({
        ...describeRefund(each, attempts),
        createdAt: each.createdAt,
      })),
    ])
  if (path === '/v3/chargebacks') return listAnswer(state, query, state.chargebacks)
  if (path === '/v3/transactions/verify_by_reference') return found(ofReference[0])
  if (path === '/v3/transactions' && reference === null) return listAnswer(state, query, attempts, true)
  if (path === '/v3/transactions') {
    const status = query.get('status')
    return ok(
      'Transactions fetched',
      ofReference.filter((each) => !status || each.status === status),
    )
  }
  const id = /^\/v3\/transactions\/(\d+)\/verify$/.exec(path)?.[1]
  return id ? found(attempts.find((each) => String(each.id) === id)) : error(404, 'Not found')
}

function changeAnswer(
  path: string,
  raw: string,
  { attempts, ownRefunds, chargebacks, answers }: State,
): FakeReply | null {
  const body = JSON.parse(raw) as { amount?: number; comments?: string; action?: string; comment?: string }
  const refunded = /^\/v3\/transactions\/(\d+)\/refund$/.exec(path)?.[1]
  if (refunded !== undefined) {
    const attempt = attempts.find((each) => String(each.id) === refunded)
    if (!attempt || typeof body.amount !== 'number' || body.amount > attempt.amount)
      return error(400, 'Refund amount is more than the transaction')
    const added = ownRefunds.add({
      reference: attempt.tx_ref,
      note: body.comments ?? '',
      amount: body.amount,
    })
    return added
      ? ok('Transaction refund initiated', describeRefund(added, attempts))
      : error(400, 'Insufficient funds in your balance')
  }
  const disputed = /^\/v3\/chargebacks\/(\d+)$/.exec(path)?.[1]
  const chargeback = chargebacks.find(({ id }) => String(id) === disputed)
  if (!chargeback) return null
  if (!body.comment || !body.action) return error(400, 'action and comment are required')
  if (chargeback.status !== 'initiated') return error(400, 'Chargeback was already handled')
  chargeback.status = body.action === 'accept' ? 'accepted' : 'declined'
  answers.push({ id: chargeback.id, action: body.action, comment: body.comment })
  return ok('Chargeback updated', chargeback)
}

const STATUSES = { pending: 'pending', processed: 'completed-mpgs', failed: 'failed' }

function describeRefund({ id, reference, note, amount, status }: FakeRefund, attempts: Attempt[]) {
  const { id: tx_id = 0 } = attempts.findLast((each) => each.tx_ref === reference) ?? {}
  return { id: Number(id), tx_id, amount_refunded: amount, status: STATUSES[status], comments: note }
}

/** Both days of the range are inclusive. */
function listAnswer(
  { lists }: State,
  query: URLSearchParams,
  all: readonly { createdAt: Date }[],
  isFaulty = false,
): FakeReply {
  const from = new Date(query.get('from') ?? 0)
  const until = new Date(`${query.get('to') ?? '2100-01-01'}T23:59:59.999Z`)
  const page = lists.pageOf(all, { from, until, page: Number(query.get('page')), isFaulty })
  if (page === 'outage') return { status: 502, body: 'upstream unavailable' }
  const data = page.rows.map(({ createdAt, ...row }) => ({ ...row, created_at: createdAt }))
  const page_info = { total: page.total, current_page: Number(query.get('page')), total_pages: page.pages }
  return { status: 200, body: { status: 'success', message: 'Fetched', data, meta: { page_info } } }
}

function pageAnswer(body: Record<string, unknown>, pages: Page[], attempts: Attempt[]): FakeReply {
  const { tx_ref, amount, currency, customer, session_duration } = body
  const { email } = (customer ?? {}) as { email?: string }
  if (typeof tx_ref !== 'string' || typeof amount !== 'number' || !email || !body.redirect_url)
    return error(400, 'tx_ref, amount, redirect_url and customer.email are required')
  if (typeof session_duration !== 'number' || session_duration < 1 || session_duration > 1440)
    return error(400, 'session_duration must be between 1 and 1440')
  if (attempts.some((each) => each.tx_ref === tx_ref && each.status === 'successful'))
    return error(400, 'Transaction reference already exists')
  // The default currency is the naira.
  pages.push({ reference: tx_ref, amount, currency: String(currency ?? 'NGN') })
  return ok('Hosted Link', { link: `https://checkout.flutterwave.com/v3/hosted/pay/${tx_ref}` })
}

/** A direct charge has a transaction at once, which waits for the payer. */
function chargeAnswer({ query, raw }: FakeRequest, { pages, attempts, lists, rejects }: State): FakeReply {
  const body = JSON.parse(raw) as Record<string, unknown>
  const { tx_ref, amount, currency, email, phone_number } = body
  if (rejects) return error(400, 'Currency not enabled for this merchant')
  if (query.get('type') !== 'mpesa' || currency !== 'KES' || !/^254\d{9}$/.test(String(phone_number)))
    return error(400, 'type, currency and phone_number do not fit')
  if (typeof tx_ref !== 'string' || typeof amount !== 'number' || !email)
    return error(400, 'tx_ref, amount and email are required')
  if (attempts.some((each) => each.tx_ref === tx_ref))
    return error(400, 'Transaction reference already exists')
  pages.push({ reference: tx_ref, amount, currency })
  const id = attempts.length + 1
  const attempt = {
    ...{ id, tx_ref, flw_ref: `FLW${id}`, amount, charged_amount: amount + 21, app_fee: 21, currency },
    ...{ status: 'pending', processor_response: 'Pending', createdAt: lists.now() },
  }
  attempts.push(attempt)
  return ok('Charge initiated', attempt)
}

const found = (attempt: Attempt | undefined): FakeReply =>
  attempt
    ? ok('Transaction fetched successfully', attempt)
    : error(400, 'No transaction was found for this id')
const ok = (message: string, data: object): FakeReply => ({
  status: 200,
  body: { status: 'success', message, data },
})
const error = (status: number, message: string): FakeReply => ({
  status,
  body: { status: 'error', message, data: null },
})
