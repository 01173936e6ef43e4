// Whether a setting is about money that customers pay: a change of one is asked about first.
import type { Setting } from './setting-values.ts'

/** Words of a key that stand for prices, shares, sums, and for which lane is paid for. */
const MONEY_WORDS = new Set([
  ...['price', 'markup', 'discount', 'fee', 'tax', 'fx', 'bps', 'pct'],
  ...['budget', 'allowance', 'grant', 'credit', 'refund', 'wallet'],
  ...['lane', 'llm'],
])
/** What the work costs us: for margins only, no customer is charged by it. */
const OURS = 'cogs'

export function isAboutMoney({ key, group, unit }: Pick<Setting, 'key' | 'group' | 'unit'>): boolean {
  const words = key.split('_')
  if (words.includes(OURS)) return false
  return (
    group === 'pricing' || unit === 'minor' || unit === 'pct' || words.some((word) => MONEY_WORDS.has(word))
  )
}
