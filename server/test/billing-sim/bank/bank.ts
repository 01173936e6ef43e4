// The card provider and the banks behind it, on this machine: cards with moods of their own, pages that payers finish or
// leave, charges that nobody hears the end of, and books that are kept apart from ours.

import {
  type FakeReply,
  type FakeRequest,
  startLoopbackServer,
} from '@cowrie/testkit/fakes/payments/loopback-server.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { paystackSignature } from '../../../src/payments/rails/paystack/webhook.ts'
import { describeTransaction, ok, readOrder, refusal } from './replies.ts'

/** What a bank does when its card is charged without its owner. */
export type CardBehaviour =
  | 'pays'
  | 'declines'
  /** Wants to hear from the owner first. */
  | 'asks'
  /** Says nothing, and pays later or already has. */
  | 'silent'

export type Card = {
  /** The physical card. */
  readonly signature: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly isReusable: boolean
  behaviour: CardBehaviour
}

export type BankEntry = {
  readonly id: number
  readonly reference: string
  readonly email: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly method: 'page' | 'charge'
  status: 'abandoned' | 'success' | 'failed' | 'ongoing' | 'processing'
  card: Card | null
  authorization: string | null
  /** How the bank met it at first: what the service could know then. */
  firstResponse: CardBehaviour | 'page'
  readonly at: Date
  paidAt: Date | null
}

export type Bank = {
  readonly variables: Record<string, string>
  readonly books: ReadonlyMap<string, BankEntry>
  /** Charges that a bank has not decided. */
  readonly undecided: ReadonlySet<string>
  /** References whose money came and was not announced yet, oldest first. Whoever takes them announces them. */
  takeUnannounced(): string[]
  /** No question is answered while it lasts. */
  isDown: boolean
  /** Whether the service may still think so: it leaves a provider that was silent alone for half a minute. */
  readonly mayBeCircuitOpen: boolean
  of(reference: string): BankEntry
  /** A payer finishes the page of a payment with a card. Says whether anything was paid. */
  payPage(reference: string, card: Card): boolean
  /** The owner answers a bank that asked, or a silent bank makes up its mind. */
  decide(reference: string, isPaid: boolean): void
  message(reference: string): { headers: Record<string, string>; body: string }
  close(): Promise<void>
}

const MISTRUSTED_MS = 30_000
const SECRET = 'sk_live_of_the_simulated_bank'

export async function openBank(clock: Clock): Promise<Bank> {
  const books = new Map<string, BankEntry>()
  const authorizations = new Map<string, { card: Card; email: string; isDead: boolean }>()
  const undecided = new Set<string>()
  const news: string[] = []
  let downAt = new Date(0)

  const of = (reference: string): BankEntry => {
    const found = books.get(reference)
    if (!found) throw new Error(`the bank never heard of ${reference}`)
    return found
  }
  const pay = (entry: BankEntry, card: Card) => {
    entry.status = 'success'
    entry.card = card
    entry.paidAt = clock.now()
    entry.authorization ??= `AUTH_${entry.id}`
    if (!authorizations.has(entry.authorization))
      authorizations.set(entry.authorization, { card, email: entry.email, isDead: false })
    news.push(entry.reference)
  }
  const isExpired = ({ expMonth, expYear }: Card) => clock.now() >= new Date(Date.UTC(expYear, expMonth, 1))

  function begin(question: FakeRequest, way: BankEntry['method']): BankEntry | Exclude<FakeReply, 'never'> {
    const order = readOrder(question.raw)
    if ('status' in order) return order
    if (books.has(order.reference))
      return refusal(400, 'Duplicate Transaction Reference', 'duplicate_reference')
    const entry: BankEntry = {
      ...order,
      id: books.size + 1,
      method: way,
      status: 'abandoned',
      card: null,
      authorization: null,
      firstResponse: 'page',
      at: clock.now(),
      paidAt: null,
    }
    books.set(entry.reference, entry)
    return entry
  }

  function charge(question: FakeRequest): FakeReply {
    const { authorization_code: code = '' } = JSON.parse(question.raw) as Record<string, string>
    const known = authorizations.get(code)
    if (!known || known.isDead) return refusal(400, 'Invalid authorization code', 'invalid_authorization')
    const entry = begin(question, 'charge')
    if (!('reference' in entry)) return entry
    if (entry.email !== known.email) {
      books.delete(entry.reference)
      return refusal(400, 'Email does not match Authorization code. Please confirm.', 'invalid_email')
    }
    Object.assign(entry, {
      authorization: code,
      met: isExpired(known.card) ? 'declines' : known.card.behaviour,
    })
    return meet(entry, known.card)
  }

  function meet(entry: BankEntry, card: Card): FakeReply {
    entry.card = card
    switch (entry.firstResponse) {
      case 'declines':
        entry.status = 'failed'
        return ok('Charge attempted', describeTransaction(entry))
      case 'asks': {
        entry.status = 'ongoing'
        undecided.add(entry.reference)
        const authorization_url = `https://checkout.paystack.com/${entry.reference}`
        const { reference } = entry
        return ok('Please, redirect your customer to the authorization url provided', {
          ...{ paused: true, reference, authorization_url, access_code: reference },
        })
      }
      case 'silent':
        entry.status = 'processing'
        undecided.add(entry.reference)
        return { status: 504, body: '<html>Gateway time-out</html>' }
      default:
        pay(entry, card)
        return ok('Charge attempted', describeTransaction(entry))
    }
  }

  function answer(question: FakeRequest): FakeReply {
    const { method, path, headers, raw } = question
    if (headers.authorization !== `Bearer ${SECRET}`) return refusal(401, 'Invalid key', 'invalid_Key')
    const asked = path.replace('/transaction/verify/', '')
    if (method === 'GET' && asked !== path) {
      const entry = books.get(asked)
      return entry
        ? ok('Verification successful', describeTransaction(entry))
        : refusal(400, 'Transaction reference not found.', 'transaction_not_found')
    }
    if (path === '/transaction/charge_authorization') return charge(question)
    if (path === '/customer/authorization/deactivate') {
      const { authorization_code: code = '' } = JSON.parse(raw) as Record<string, string>
      const known = authorizations.get(code)
      if (known) known.isDead = true
      return ok('Authorization has been deactivated', {})
    }
    if (path !== '/transaction/initialize') return refusal(404, 'Not found')
    const entry = begin(question, 'page')
    if (!('reference' in entry)) return entry
    const { reference } = entry
    const authorization_url = `https://checkout.paystack.com/${reference}`
    return ok('Authorization URL created', { authorization_url, access_code: reference, reference })
  }

  const loopback = await startLoopbackServer((question) => {
    // What was asked is of no use to anybody later, and three years of it are a lot.
    loopback.requests.length = 0
    return answer(question)
  })
  return {
    // One bank answers for the accounts of all countries.
    variables: {
      PAYSTACK_SECRET_KEY: SECRET,
      ...Object.fromEntries(
        ['GH', 'KE', 'ZA', 'CI'].map((country) => [`PAYSTACK_SECRET_KEY_${country}`, SECRET]),
      ),
      PAYSTACK_BASE_URL: loopback.url,
    },
    books,
    undecided,
    of,
    takeUnannounced: () => news.splice(0),
    get mayBeCircuitOpen() {
      return loopback.fault !== null || clock.now().getTime() < downAt.getTime() + MISTRUSTED_MS
    },
    get isDown() {
      return loopback.fault !== null
    },
    set isDown(down) {
      if (down) downAt = clock.now()
      loopback.fault = down ? 'down' : null
    },
    payPage(reference, card) {
      const entry = of(reference)
      if (entry.status === 'success') return false
      if (card.behaviour === 'declines' || isExpired(card)) return false
      pay(entry, card)
      return true
    },
    decide(reference, isPaid) {
      const entry = of(reference)
      if (!undecided.delete(reference)) return
      if (isPaid && entry.card) pay(entry, entry.card)
      else entry.status = 'failed'
    },
    message(reference) {
      const body = JSON.stringify({ event: 'charge.success', data: describeTransaction(of(reference)) })
      return {
        headers: {
          'content-type': 'application/json',
          'x-paystack-signature': paystackSignature(body, SECRET),
        },
        body,
      }
    },
    close: loopback.close,
  }
}
