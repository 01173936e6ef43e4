// Where no card serves a currency, a plan is paid from the wallet, which every currency can fill.
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Currency, format, money as moneyOf } from '../../kernel/money.ts'
import { cardRange } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import { readBalances } from '../../wallet/wallet.ts'
import { findLiveSubscription, lockOrg, lockSubscription } from '../subscriptions/subscriptions.ts'
import { canFulfil } from './bill-payment.ts'
import { abandonBill, type Bill, lockBill } from './bills.ts'
import { fulfilBill } from './fulfil.ts'

/** Money in a wallet is real in production, and only there. */
export const walletMode = ({ config }: App): 'live' | 'mock' =>
  config.environment === 'production' ? 'live' : 'mock'

export const isPaidFromWallet = (currency: Currency): boolean => cardRange(currency) === null

export type WalletPaymentResult =
  | { readonly outcome: 'paid'; readonly reference: string }
  | { readonly outcome: 'declined'; readonly reason: string }

/** Pays a bill with what is in the wallet, wholly or not at all, in one transaction. A second call finds it paid. */
export function payFromWallet(
  app: App,
  { id, orgId }: Pick<Bill, 'id' | 'orgId'>,
): Promise<WalletPaymentResult> {
  return app.db.tx(orgId, async (tx) => {
    await lockOrg(tx, orgId)
    const bill = present(await lockBill(tx, id), 'a bill stays written down')
    if (bill.status === 'paid') return { outcome: 'paid', reference: id }
    const { amountMinor, currency } = bill
    const money = {
      amountMinor,
      currency,
      mode: walletMode(app),
      method: 'Wallet',
      reference: null,
      email: null,
    } as const
    const subscription = await lockSubscription(tx, bill.subscriptionId)
    const paying = { money, bill, subscription, live: await findLiveSubscription(tx, orgId) }
    if (bill.status === 'abandoned' || !canFulfil(paying, tx.now)) {
      await abandonBill(tx, bill, STALE_REASON)
      return { outcome: 'declined', reason: STALE_REASON }
    }
    if (await fulfilBill(app, tx, paying)) return { outcome: 'paid', reference: id }
    const { availableMinor } = await readBalances(tx, orgId)
    return { outcome: 'declined', reason: shortfallMessage(availableMinor, amountMinor, currency) }
  })
}

/** Why a bill was not paid, for whoever asked for it. */
export const unpaidError = (
  { amountMinor, currency }: Pick<Bill, 'amountMinor' | 'currency'>,
  reason: string,
) =>
  isPaidFromWallet(currency)
    ? new ApiError('insufficient_funds', {
        error: `${reason} Top it up and try again.`,
        requiredMinor: amountMinor,
      })
    : new ApiError('card_declined', { reason })

const STALE_REASON = 'The subscription was changed before this was paid.'

const shortfallMessage = (availableMinor: bigint, neededMinor: bigint, currency: Currency): string =>
  `The wallet has ${format(moneyOf(availableMinor, currency))} free, and ${format(moneyOf(neededMinor, currency))} are needed.`
