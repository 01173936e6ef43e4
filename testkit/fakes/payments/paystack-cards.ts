// The cards of Paystack's stand-in: those that paid on its page, what they are charged by later, and how they behave then.
import type { FakeReply } from './loopback-server.ts'

export type Transaction = {
  id: number
  reference: string
  email: string
  status: string
  /** In hundredths, whatever the currency. */
  requested: number
  amount: number
  currency: string
  domain: string
  /** Why it failed, in the bank's words. */
  declined?: string
  /** Paid on the page, by whichever card the payer has. */
  isPage?: true
  card?: Authorization
  /** Whatever a test wants said otherwise. */
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

/** What comes of charging a stored card. */
export type CardBehaviour =
  | { readonly does: 'pays' }
  /** Taken, and failed in the bank's words. */
  | { readonly does: 'declines'; readonly saying: string }
  /** Not even taken. */
  | { readonly does: 'refuses'; readonly saying: string }
  /** The bank asks its customer, on a page that `pay` and `decline` decide. */
  | { readonly does: 'asks' }
  /** Taken, and undecided until `pay` or `decline`. */
  | { readonly does: 'waits' }
  /** Taken and paid, although our answer is a gateway's that gave up waiting. */
  | { readonly does: 'pays_without_reply' }

export type FakeCards = {
  /** The payer pays on the page with this card. */
  payWith(reference: string, card?: Partial<TestCard>): void
  /** How a card behaves from now on, by its last four digits. Every card pays at first. */
  behave(last4: string, behaviour: CardBehaviour): void
  /** Charges of stored cards that were taken, oldest first. */
  readonly charges: readonly { reference: string; last4: string }[]
  /** Authorizations that were deactivated. */
  readonly deactivated: ReadonlySet<string>
}

export type Body = Record<string, unknown>
type TransactionStore = {
  readonly find: (reference: string) => Transaction
  /** Writes a transaction down, or says what is wrong with it. */
  readonly begin: (body: Body) => Transaction | FakeReply
}

const VISA: TestCard = { last4: '4081', brand: 'visa', expMonth: '12', expYear: '2030', reusable: true }

export function createFakeCards({ find, begin }: TransactionStore) {
  const authorizations = new Map<string, Authorization>()
  const behaviours = new Map<string, CardBehaviour>()
  const forgotten = new Set<string>()
  const charges: { reference: string; last4: string }[] = []

  /** The same card and address have the same authorization for as long as it is not deactivated. */
  function authorize(transaction: Transaction, card: Partial<TestCard> = {}): void {
    const { email } = transaction
    const shown = { ...VISA, ...card }
    const known = [...authorizations.values()].find(
      (each) => each.last4 === shown.last4 && each.email === email && !forgotten.has(each.code),
    )
    const code = known?.code ?? `AUTH_${authorizations.size + 1}_secret`
    transaction.card ??= { ...shown, code, email }
    authorizations.set(code, { ...shown, code, email })
  }

  function charge(body: Body): FakeReply {
    const card = authorizations.get(String(body.authorization_code))
    if (!card || forgotten.has(card.code)) return refusal(400, 'Authorization code is invalid')
    if (body.email !== card.email)
      return refusal(
        400,
        'Email does not match Authorization code. Please initialize transaction or try again.',
      )
    const behaviour = behaviours.get(card.last4) ?? { does: 'pays' }
    if (behaviour.does === 'refuses') return refusal(400, behaviour.saying)
    const begun = begin(body)
    if (begun === 'never' || 'body' in begun) return begun
    begun.card = card
    charges.push({ reference: begun.reference, last4: card.last4 })
    return behave(begun, behaviour)
  }

  function deactivate({ authorization_code: code }: Body): FakeReply {
    if (!authorizations.has(String(code))) return refusal(404, 'Authorization not found')
    forgotten.add(String(code))
    return ok('Authorization has been deactivated', {})
  }

  const driven: FakeCards = {
    payWith(reference, card) {
      const transaction = find(reference)
      authorize(transaction, card)
      transaction.status = 'success'
    },
    behave: (last4, behaviour) => void behaviours.set(last4, behaviour),
    charges,
    deactivated: forgotten,
  }
  return { authorize, charge, deactivate, driven }
}

function behave(transaction: Transaction, behaviour: Exclude<CardBehaviour, { does: 'refuses' }>): FakeReply {
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
      transaction.declined = behaviour.saying
      return ok('Charge attempted', {
        ...{ reference, status: 'failed', gateway_response: behaviour.saying },
      })
    default:
      transaction.status = 'success'
      return behaviour.does === 'pays'
        ? ok('Charge attempted', { reference, status: 'success' })
        : { status: 504, body: 'upstream request timeout' }
  }
}

/** What Paystack says of the card of a transaction that was paid. */
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
