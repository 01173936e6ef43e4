// Pays bills from the wallet in currencies that no card provider supports.
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Currency, format, money as moneyOf } from '../../kernel/money.ts'
import { cardRange } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { readTrial } from '../../wallet/wallet.ts'
import { findLiveSubscription, lockOrg, lockSubscription } from '../subscriptions/subscriptions.ts'
import { canFulfil } from './bill-payment.ts'
import { abandonBill, type Bill, lockBill } from './bills.ts'
import { fulfilBill } from './fulfil.ts'

/** Wallet money is real in production only. */
export const walletMode = ({ config }: App): 'live' | 'mock' =>
  config.environment === 'production' ? 'live' : 'mock'

export const isPaidFromWallet = (currency: Currency): boolean => cardRange(currency) === null

export type WalletPaymentResult =
  | { readonly outcome: 'paid'; readonly reference: string }
  | { readonly outcome: 'declined'; readonly reason: string }

/** Pays the whole bill from the wallet in one transaction, or nothing. A second call finds the bill paid. */
export function payFromWallet(
  app: App,
  { id, orgId }: Pick<Bill, 'id' | 'orgId'>,
): Promise<WalletPaymentResult> {
  return app.db.tx(orgId, async (tx) => {
    await lockOrg(tx, orgId)
    const bill = present(await lockBill(tx, id), 'a bill is never deleted')
    if (bill.status === 'paid') return { outcome: 'paid', reference: id }
    const { amountMinor, currency } = bill
    const payment = {
      amountMinor,
      currency,
      mode: walletMode(app),
      method: 'Wallet',
      reference: null,
      email: null,
    } as const
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    const settlement = { payment, bill, subscription, live: await findLiveSubscription(tx, orgId) }
    if (bill.status === 'abandoned' || !canFulfil(settlement, tx.now)) {
      await abandonBill(tx, bill, STALE_REASON)
      return { outcome: 'declined', reason: STALE_REASON }
    }
    if (await fulfilBill(app, tx, settlement)) return { outcome: 'paid', reference: id }
    // Trial credit does not pay for plans.
    const { ownFreeMinor } = await readTrial(tx, orgId)
    return { outcome: 'declined', reason: shortfallMessage(ownFreeMinor, amountMinor, currency) }
  })
}

/** The error for a caller whose bill was not paid. */
export const unpaidError = (
  { amountMinor, currency }: Pick<Bill, 'amountMinor' | 'currency'>,
  reason: string,
) =>
  isPaidFromWallet(currency)
    ? new ApiError('insufficient_funds', {
        error: `${reason} Top up your wallet and try again.`,
        requiredMinor: amountMinor,
      })
    : new ApiError('card_declined', { reason })

const STALE_REASON = 'The subscription was changed before this was paid.'

const shortfallMessage = (availableMinor: bigint, neededMinor: bigint, currency: Currency): string =>
  `Your wallet has ${format(moneyOf(availableMinor, currency))} available; this costs ${format(moneyOf(neededMinor, currency))}.`
