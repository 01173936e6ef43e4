// A quote for people.
import { formatMoney } from '../spending/money.ts'
import { bold, green, type Line, red, yellow } from '../terminal/line.ts'
import { withheldWords } from './outcome.ts'
import { ceilingWords, obstacle, type Priced } from './price.ts'

export function quoteLines(priced: Priced): Line[] {
  const { quote, currency } = priced
  const money = (minor: bigint) => formatMoney(minor, currency)
  const failure = obstacle(priced)
  return [
    ['Costs  ', bold(ceilingWords(priced))],
    `       at least ${money(least(quote.minMinor, priced.maxMinor))}`,
    `Lane   ${quote.lane} (${quote.model})${quote.iterations > 1 ? `, up to ${quote.iterations} iterations` : ''}`,
    `You    can spend ${money(quote.availableMinor)} of ${money(quote.balanceMinor)}`,
    ...(quote.withheld ?? []).map((each): Line => [yellow('! '), withheldWords(each)]),
    failure ? [red('✗ '), failure.message] : [green('✓ '), 'It can start.'],
  ]
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
