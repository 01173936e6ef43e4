// Test cards. The three cards differ in how they behave when charged without their owner.
import type { CardDetails } from '../../../platform/payment-handler.ts'

export type MockCardBehaviour = 'pays' | 'declines' | 'asks'

const CARDS: Readonly<Record<MockCardBehaviour, { readonly word: string; readonly last4: string }>> = {
  pays: { word: 'ok', last4: '4081' },
  declines: { word: 'declines', last4: '5408' },
  asks: { word: 'asks', last4: '4796' },
}

/** The card that the payer chose on the mock page. */
export function mockCard(reference: string, decision: string, now: Date): CardDetails {
  const behaviour = BEHAVIOURS[decision] ?? 'pays'
  const { word, last4 } = CARDS[behaviour]
  return {
    authorizationCode: `mock_${word}_${reference}`,
    signature: `mock card ${last4}`,
    isReusable: true,
    brand: 'Visa',
    last4,
    expMonth: 12,
    expYear: now.getUTCFullYear() + 4,
    bank: 'Test Bank',
    country: null,
  }
}

const BEHAVIOURS: Readonly<Partial<Record<string, MockCardBehaviour>>> = {
  approved_then_declines: 'declines',
  approved_then_asks: 'asks',
}

export function behaviourOf(authorizationCode: string): MockCardBehaviour {
  if (authorizationCode.startsWith('mock_ok_')) return 'pays'
  return authorizationCode.startsWith('mock_asks_') ? 'asks' : 'declines'
}
