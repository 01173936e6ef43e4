// Whether a setting changes what customers pay. Such a change needs a confirmation.
import type { Setting } from './setting-values.ts'

/** Words in setting keys that concern prices, shares, amounts or the paid lane. */
const MONEY_WORDS = new Set([
  ...['price', 'markup', 'discount', 'fee', 'tax', 'fx', 'bps', 'pct'],
  ...['budget', 'allowance', 'grant', 'credit', 'refund', 'wallet'],
  ...['lane', 'llm'],
])
/** Our own cost, used for margins only. */
const OWN_COST = 'cogs'

export function isAboutMoney({ key, group, unit }: Pick<Setting, 'key' | 'group' | 'unit'>): boolean {
  const words = key.split('_')
  if (words.includes(OWN_COST)) return false
  return (
    group === 'pricing' || unit === 'minor' || unit === 'pct' || words.some((word) => MONEY_WORDS.has(word))
  )
}
