// What every command does that costs something: it knows the wallet, keeps within what it may cost, tells the price and asks.
import type { Currency } from '@cowrie/sdk'
import type { Context } from './command.ts'
import { EXIT } from './exits.ts'
import type { Payer } from './intents.ts'
import { formatMoney, maxCostOf } from './money.ts'
import { Failure } from './wrong.ts'

export type Wallet = Payer & { readonly currency: Currency; readonly balanceMinor: bigint }

export async function walletOf({ client, signal }: Pick<Context, 'client' | 'signal'>): Promise<Wallet> {
  const { userId, orgId, currency, balanceMinor } = await client.me.get({ signal })
  return { userId, orgId, currency, balanceMinor }
}

/** What is told and sent as the most: the price, or what the person allows where that is less and suffices. */
export function withinLimit(
  context: Pick<Context, 'values' | 'config'>,
  { leastMinor, maxMinor }: { leastMinor: bigint; maxMinor: bigint },
  currency: Currency,
): bigint {
  const limit = maxCostOf(context, currency)
  if (limit === undefined || limit >= maxMinor) return maxMinor
  if (limit >= leastMinor) return limit
  throw new Failure(
    'above_max_cost',
    `This needs at least ${formatMoney(leastMinor, currency)}, and may cost at most ${formatMoney(limit, currency)}.`,
    { exit: EXIT.money, next: 'Allow more with --max-cost.' },
  )
}

/** Ends the command unless the person agrees. */
export async function agreeTo({ ask }: Pick<Context, 'ask'>, question: string): Promise<void> {
  if (!(await ask.yes(question)))
    throw new Failure('declined', 'Nothing was sent, and nothing was charged.', { exit: EXIT.cancelled })
}
