// A simulated card provider with its banks: different card behaviours, abandoned pages, undecided charges, and a separate
// record of all transactions.

import {
  type FakeReply,
  type FakeRequest,
  startLoopbackServer,
} from '@cowrie/testkit/fakes/payments/loopback-server.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { paystackSignature } from '../../../src/payments/rails/paystack/webhook.ts'
import type { BankEntry, Card } from './bank-entry.ts'
import { describeTransaction, ok, readOrder, refusal } from './replies.ts'

export type Bank = {
  readonly variables: Record<string, string>
  readonly books: ReadonlyMap<string, BankEntry>
  /** Undecided charges. */
  readonly undecided: ReadonlySet<string>
  /** Returns and clears the paid references without a webhook yet, oldest first. */
  takeUnannounced(): string[]
  /** While true, no request is answered. */
  isDown: boolean
  /** Whether the service may still have its circuit open: it pauses calls for half a minute after a timeout. */
  readonly mayBeCircuitOpen: boolean
  of(reference: string): BankEntry
  /** A payer completes the payment page with a card. Returns whether it was paid. */
  payPage(reference: string, card: Card): boolean
  /** Confirms or declines an undecided charge. */
  decide(reference: string, isPaid: boolean): void
  message(reference: string): { headers: Record<string, string>; body: string }
  close(): Promise<void>
}

const CIRCUIT_OPEN_MS = 30_000
const SECRET = 'sk_live_of_the_simulated_bank'

export async function openBank(clock: Clock): Promise<Bank> {
  const books = new Map<string, BankEntry>()
  const authorizations = new Map<string, { card: Card; email: string; isDead: boolean }>()
  const undecided = new Set<string>()
  const unannounced: string[] = []
  let downAt = new Date(0)

  const of = (reference: string): BankEntry => {
    const found = books.get(reference)
    if (!found) throw new Error(`the bank does not know ${reference}`)
    return found
  }
  const pay = (entry: BankEntry, card: Card) => {
    entry.status = 'success'
    entry.card = card
    entry.paidAt = clock.now()
    entry.authorization ??= `AUTH_${entry.id}`
    if (!authorizations.has(entry.authorization))
      authorizations.set(entry.authorization, { card, email: entry.email, isDead: false })
    unannounced.push(entry.reference)
  }
  const isExpired = ({ expMonth, expYear }: Card) => clock.now() >= new Date(Date.UTC(expYear, expMonth, 1))

  function begin(
    question: FakeRequest,
    method: BankEntry['method'],
  ): BankEntry | Exclude<FakeReply, 'never'> {
    const order = readOrder(question.raw)
    if ('status' in order) return order
    if (books.has(order.reference))
      return refusal(400, 'Duplicate Transaction Reference', 'duplicate_reference')
    const entry: BankEntry = {
      ...order,
      id: books.size + 1,
      method,
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
      firstResponse: isExpired(known.card) ? 'declines' : known.card.behaviour,
    })
    return respond(entry, known.card)
  }

  function respond(entry: BankEntry, card: Card): FakeReply {
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
    // Discarded, because three years of requests take much memory.
    loopback.requests.length = 0
    return answer(question)
  })
  return {
    // One bank serves the accounts of all countries.
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
    takeUnannounced: () => unannounced.splice(0),
    get mayBeCircuitOpen() {
      return loopback.fault !== null || clock.now().getTime() < downAt.getTime() + CIRCUIT_OPEN_MS
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
