// The cards of the fake Paystack: authorizations of cards that paid on the page, and their behaviour in later charges.
import type { FakeReply } from './loopback-server.ts'

export type Transaction = {
  id: number
  reference: string
  email: string
  status: string
  /** In hundredths in every currency. */
  requested: number
  amount: number
  currency: string
  domain: string
  createdAt: Date
  /** The decline message of the bank. */
  declined?: string
  /** Paid on the hosted page. */
  isPage?: true
  card?: Authorization
  /** Fields of the status reply that a test overrides. */
  overrides: Record<string, unknown>
}

export type TestCard = {
  readonly last4: string
  readonly brand: string
  readonly expMonth: string
  readonly expYear: string
  readonly reusable: boolean
}
type Authorization = TestCard & { readonly code: string; readonly email: string }

/** The result of charging a stored card. */
export type CardBehaviour =
  | { readonly does: 'pays' }
  /** Accepted, then declined by the bank with this message. */
  | { readonly does: 'declines'; readonly message: string }
  /** Rejected without a transaction. */
  | { readonly does: 'refuses'; readonly message: string }
  /** The bank asks the customer on a page. `pay` and `decline` decide. */
  | { readonly does: 'asks' }
  /** Accepted, and pending until `pay` or `decline`. */
  | { readonly does: 'waits' }
  /** Accepted and paid, but the reply is a gateway timeout. */
  | { readonly does: 'pays_without_reply' }

export type FakeCards = {
  /** The payer pays on the page with this card. */
  payWith(reference: string, card?: Partial<TestCard>): void
  /** Sets the behaviour of a card by its last four digits. The default is `pays`. */
  behave(last4: string, behaviour: CardBehaviour): void
  /** Accepted charges of stored cards, oldest first. */
  readonly charges: readonly { reference: string; last4: string }[]
  /** Authorizations that were deactivated. */
  readonly deactivated: ReadonlySet<string>
}

export type Body = Record<string, unknown>
type TransactionStore = {
  readonly find: (reference: string) => Transaction
  /** Stores a transaction, or returns the refusal. */
  readonly begin: (body: Body) => Transaction | FakeReply
}

const VISA: TestCard = { last4: '4081', brand: 'visa', expMonth: '12', expYear: '2030', reusable: true }

export function createFakeCards({ find, begin }: TransactionStore) {
  const authorizations = new Map<string, Authorization>()
  const behaviours = new Map<string, CardBehaviour>()
  const deactivated = new Set<string>()
  const charges: { reference: string; last4: string }[] = []

  /** One card and email address have one authorization until it is deactivated. */
  function authorize(transaction: Transaction, card: Partial<TestCard> = {}): void {
    const { email } = transaction
    const details = { ...VISA, ...card }
    const existing = [...authorizations.values()].find(
      (each) => each.last4 === details.last4 && each.email === email && !deactivated.has(each.code),
    )
    const code = existing?.code ?? `AUTH_${authorizations.size + 1}_secret`
    transaction.card ??= { ...details, code, email }
    authorizations.set(code, { ...details, code, email })
  }

  function charge(body: Body): FakeReply {
    const card = authorizations.get(String(body.authorization_code))
    if (!card || deactivated.has(card.code)) return refusal(400, 'Authorization code is invalid')
    if (body.email !== card.email)
      return refusal(
        400,
        'Email does not match Authorization code. Please initialize transaction or try again.',
      )
    const behaviour = behaviours.get(card.last4) ?? { does: 'pays' }
    if (behaviour.does === 'refuses') return refusal(400, behaviour.message)
    const transaction = begin(body)
    if (transaction === 'never' || 'body' in transaction) return transaction
    transaction.card = card
    charges.push({ reference: transaction.reference, last4: card.last4 })
    return applyBehaviour(transaction, behaviour)
  }

  function deactivate({ authorization_code: code }: Body): FakeReply {
    if (!authorizations.has(String(code))) return refusal(404, 'Authorization not found')
    deactivated.add(String(code))
    return ok('Authorization has been deactivated', {})
  }

  const controls: FakeCards = {
    payWith(reference, card) {
      const transaction = find(reference)
      authorize(transaction, card)
      transaction.status = 'success'
    },
    behave: (last4, behaviour) => void behaviours.set(last4, behaviour),
    charges,
    deactivated,
  }
  return { authorize, charge, deactivate, controls }
}

function applyBehaviour(
  transaction: Transaction,
  behaviour: Exclude<CardBehaviour, { does: 'refuses' }>,
): FakeReply {
  const { reference } = transaction
  switch (behaviour.does) {
    case 'asks':
      transaction.status = 'ongoing'
      return ok('Please, redirect your customer to the authorization url provided', {
        ...{ paused: true, reference, access_code: reference },
        authorization_url: `https://checkout.paystack.com/resume/${reference}`,
      })
    case 'waits':
      transaction.status = 'pending'
      return ok('Charge attempted', { reference, status: 'pending' })
    case 'declines':
      transaction.status = 'failed'
      transaction.declined = behaviour.message
      return ok('Charge attempted', {
        ...{ reference, status: 'failed', gateway_response: behaviour.message },
      })
    default:
      transaction.status = 'success'
      return behaviour.does === 'pays'
        ? ok('Charge attempted', { reference, status: 'success' })
        : { status: 504, body: 'upstream request timeout' }
  }
}

/** The card in the status reply of a paid transaction. */
export function describeCard({ card, status }: Transaction): object {
  if (!card || status !== 'success') return {}
  const { code, last4, brand, expMonth, expYear, reusable } = card
  return {
    authorization: {
      authorization_code: code,
      ...{
        bin: '408408',
        last4,
        exp_month: expMonth,
        exp_year: expYear,
        channel: 'card',
        card_type: `${brand} `,
      },
      ...{
        bank: 'TEST BANK',
        country_code: 'NG',
        brand,
        reusable,
        signature: `SIG_${last4}_secret`,
        account_name: null,
      },
    },
  }
}

export const ok = (message: string, data: object): FakeReply => ({
  status: 200,
  body: { status: true, message, data },
})
export const refusal = (status: number, message: string, code?: string): FakeReply => ({
  status,
  body: { status: false, message, ...(code && { type: 'validation_error', code }) },
})
