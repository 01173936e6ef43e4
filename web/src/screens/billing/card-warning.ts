// Whether a card will soon be of no use.
import type { Card } from '@cowrie/sdk'

/** A card is good until the last day of its month; from two months before, its owner is told. */
export function cardWarning(
  { expired, expMonth, expYear }: Pick<Card, 'expired' | 'expMonth' | 'expYear'>,
  now: Date,
): 'expired' | 'soon' | null {
  if (expired) return 'expired'
  const monthsLeft = expYear * 12 + (expMonth - 1) - (now.getUTCFullYear() * 12 + now.getUTCMonth())
  return monthsLeft <= 1 ? 'soon' : null
}
