// Shared by paid commands: wallet, cost limit and confirmation.
import type { Currency } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Payer } from './intents.ts'
import { formatMoney, maxCostOf } from './money.ts'

export type Wallet = Payer & { readonly currency: Currency; readonly balanceMinor: bigint }

export async function walletOf({ client, signal }: Pick<Context, 'client' | 'signal'>): Promise<Wallet> {
  const { userId, orgId, currency, balanceMinor } = await client.me.get({ signal })
  return { userId, orgId, currency, balanceMinor }
}

/** The maximum cost to show and send: the price, or the user's limit where it is lower and sufficient. */
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
    `This needs at least ${formatMoney(leastMinor, currency)}; the limit is ${formatMoney(limit, currency)}.`,
    { exit: EXIT.money, next: 'Raise the limit with --max-cost.' },
  )
}

/** Ends the command unless the user agrees. */
export async function requireConsent({ ask }: Pick<Context, 'ask'>, question: string): Promise<void> {
  if (!(await ask.yes(question)))
    throw new Failure('declined', 'Nothing was sent or charged.', { exit: EXIT.cancelled })
}
