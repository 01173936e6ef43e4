// Warns about cards that expire soon.
import type { Card } from '@cowrie/sdk'

/** A card is valid until the end of its month. The warning starts two months before. */
export function cardWarning(
  { expired, expMonth, expYear }: Pick<Card, 'expired' | 'expMonth' | 'expYear'>,
  now: Date,
): 'expired' | 'soon' | null {
  if (expired) return 'expired'
  const monthsLeft = expYear * 12 + (expMonth - 1) - (now.getUTCFullYear() * 12 + now.getUTCMonth())
  return monthsLeft <= 1 ? 'soon' : null
}
