// The maximum cost of a task, shown before anything paid is sent.

import type { AgentQuoteReply, Currency } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Payer } from '../spending/intents.ts'
import { formatMoney, maxCostOf, usualCostText } from '../spending/money.ts'
import { bold, green, type Line, red, yellow } from '../terminal/line.ts'
import { withheldText } from './outcome.ts'
import type { Task } from './task.ts'

export type TaskPrice = {
  readonly quote: AgentQuoteReply
  readonly currency: Currency
  readonly payer: Payer
  /** The maximum cost, shown and sent. */
  readonly maxMinor: bigint
  /** Whether the user's limit is below the quote. */
  readonly isLimited: boolean
}

export async function priceOf(
  context: Context,
  { prompt, files, repo, frontier, allowSecrets, loop }: Task,
): Promise<TaskPrice> {
  const { client, signal } = context
  const [{ currency, userId, orgId }, quote] = await Promise.all([
    client.me.get({ signal }),
    client.agent.quote(
      {
        prompt,
        context: [...files],
        ...(repo !== undefined && { repo }),
        ...(frontier === null ? {} : { frontier }),
        ...(allowSecrets && { allowSecrets }),
        ...(loop && { sandbox: loop.sandbox }),
        ...(loop?.testCmd ? { testCmd: loop.testCmd } : {}),
        ...(loop?.maxIters ? { maxIters: loop.maxIters } : {}),
      },
      { signal },
    ),
  ])
  const allowed = maxCostOf(context, currency)
  const isLimited = allowed !== undefined && allowed < quote.maxMinor
  return {
    quote,
    currency,
    payer: { userId, orgId },
    maxMinor: isLimited ? allowed : quote.maxMinor,
    isLimited,
  }
}

/** Why it cannot start; null when it can. */
export function whyNotStartable({ quote, currency, maxMinor }: TaskPrice): Failure | null {
  const money = (minor: bigint) => formatMoney(minor, currency)
  if (maxMinor < quote.leastMinor)
    return new Failure(
      'max_cost_too_low',
      `This needs at least ${money(quote.leastMinor)} to start; your limit is ${money(maxMinor)}.`,
      { exit: EXIT.money, next: 'Raise the limit with --max-cost, or send fewer files.' },
    )
  if (quote.affordable) return null
  return new Failure(
    'insufficient_funds',
    `This needs at least ${money(quote.leastMinor)} to start; you can spend ${money(quote.availableMinor)}.`,
    { exit: EXIT.money, next: 'Top up with "cowrie wallet topup <amount>", or send fewer files.' },
  )
}

const usually = ({ quote, currency, maxMinor }: TaskPrice): string[] =>
  quote.usuallyMinor ? [usualCostText(quote.usuallyMinor, maxMinor, currency)] : []

/** `usually ₦0.40–₦1.20, at most ₦2.65`, with the reason of the maximum. */
export const priceText = (priced: TaskPrice): string => [...usually(priced), maxCostText(priced)].join(', ')

/** `at most ₦2.65`, with the reason. */
const maxCostText = ({ currency, maxMinor, isLimited }: TaskPrice): string =>
  `at most ${formatMoney(maxMinor, currency)}${isLimited ? ', your limit: a longer answer is cut off' : ''}`

/** The quote as text. */
export function quoteLines(priced: TaskPrice): Line[] {
  const { quote, currency } = priced
  const money = (minor: bigint) => formatMoney(minor, currency)
  const failure = whyNotStartable(priced)
  return [
    ['Costs  ', bold(maxCostText(priced))],
    ...usually(priced).map((text) => `       ${text}`),
    `       at least ${money(least(quote.minMinor, priced.maxMinor))}`,
    `Lane   ${quote.lane} (${quote.model})${quote.iterations > 1 ? `, up to ${quote.iterations} iterations` : ''}`,
    `You    can spend ${money(quote.availableMinor)} of ${money(quote.balanceMinor)}`,
    ...(quote.withheld ?? []).map((each): Line => [yellow('! '), withheldText(each)]),
    failure ? [red('✗ '), failure.message] : [green('✓ '), 'It can start.'],
  ]
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
