// The mock rail, for channels whose provider has no keys. A tester decides each payment on a page.
import { format, money } from '../../../kernel/money.ts'
import type { CardCharge, CardChargeResult, HandOff, OpenRail, Order } from '../rail.ts'
import { behaviourOf, mockCard } from './mock-cards.ts'

/** An approval with a card can also choose how that card behaves later. */
export const MOCK_DECISIONS = [
  'approved',
  'declined',
  'approved_then_declines',
  'approved_then_asks',
] as const
export type MockDecision = (typeof MOCK_DECISIONS)[number]
export type MockAccess = {
  readonly baseUrl: string
  /** Null until the payer decides. */
  readonly decisionOf: (reference: string) => Promise<MockDecision | null>
  /** Decides for the payer, as a stored card does. The first decision is final. */
  readonly decide: (reference: string, decision: MockDecision) => Promise<void>
}

/** The caller must not open it in production. */
export function openMock(access: MockAccess): OpenRail {
  const { baseUrl, decisionOf } = access
  return {
    name: 'mock',
    keys: 'test',
    start: async (_, order) => ({
      outcome: 'accepted',
      handOff: { authorizationUrl: `${baseUrl}/pay/mock/${order.reference}`, ...instructionsFor(order) },
      providerRef: null,
    }),
    async check({ clock }, { reference, amountMinor, currency, channel }) {
      const decision = await decisionOf(reference)
      if (decision === null)
        return { status: 'pending', detail: 'The mock payment is not decided yet.', isNotFound: true }
      if (decision === 'declined') return { status: 'failed', reason: 'It was declined on the mock page.' }
      return {
        status: 'paid',
        transactionId: `mock-${reference}`,
        amountMinor,
        currency,
        reference,
        live: false,
        ...(channel === 'card' && { card: mockCard(reference, decision, clock.now()) }),
      }
    },
    chargeCard: (_, charge) => chargeCard(access, charge),
    deleteCard: async () => true,
    // Mock payments have no webhooks.
    parseWebhook: () => 'nothing',
  }
}

/** The authorization code determines how the card behaves. */
async function chargeCard(
  { baseUrl, decide }: MockAccess,
  { reference, authorizationCode }: CardCharge,
): Promise<CardChargeResult> {
  switch (behaviourOf(authorizationCode)) {
    case 'pays':
      await decide(reference, 'approved')
      return { outcome: 'answered' }
    case 'declines':
      await decide(reference, 'declined')
      return { outcome: 'declined', reason: 'This test card declines every charge.', isFinal: false }
    case 'asks':
      return { outcome: 'challenged', authorizationUrl: `${baseUrl}/pay/mock/${reference}` }
  }
}

/** The instructions of the real rail, with a note that this is test money. */
function instructionsFor(order: Order): HandOff {
  const amount = format(money(order.amountMinor, order.currency))
  switch (order.channel) {
    case 'ussd': {
      const ussdCode = `*737*000*${fakeDigits(order.reference, 4)}#`
      return { ussdCode, displayText: `Dial ${ussdCode} to pay ${amount}. ${TEST_MONEY}` }
    }
    case 'fawry': {
      const number = fakeDigits(order.reference, 9)
      return { displayText: `Pay ${amount} at any Fawry point with the number ${number}. ${TEST_MONEY}` }
    }
    case 'mpesa':
    case 'mtn_momo':
    case 'telecel_cash':
    case 'airteltigo':
      return {
        displayText: `Confirm ${amount} on the phone that ends in ${order.phone?.slice(-3) ?? ''}. ${TEST_MONEY}`,
      }
    default:
      return {}
  }
}

const TEST_MONEY = 'This is test money: decide on the mock page instead.'

/** Digits like a provider's, stable per payment. */
function fakeDigits(reference: string, count: number): string {
  const number = [...reference].reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) % 1_000_000_007, 7)
  return String(number).padStart(count, '0').slice(-count)
}
