// Starts payments by card on the provider's page: card checks and bills.
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type Currency, format, isCurrency, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { channelByName, rangeOf } from '../channels.ts'
import { findAccount, type Mode, servedChannels, usableAccounts } from '../rails/accounts.ts'
import { settlePayment } from '../settle/settle.ts'
import type { Payment } from '../sql/payments.ts'
import { initiate, refused } from './initiate.ts'

export type CardPaymentInput = Readonly<
  Pick<Payment, 'reference' | 'billId' | 'orgId' | 'userId' | 'email' | 'amountMinor' | 'currency'>
> & {
  readonly purpose: 'card' | 'bill'
  readonly orgName: string
  /** Shown to the payer. */
  readonly description: string
}
export type CardPaymentPage = {
  readonly reference: string
  readonly authorizationUrl: string
  readonly mode: Mode
}

const CARD = channelByName('card')

const findCardAccount = (app: App, currency: Currency) =>
  findAccount(app, { channel: 'card', currency, purpose: 'card' })

/** The limits of one card payment; null where cards do not support the currency. */
export function cardRange(currency: Currency): { minMinor: bigint; maxMinor: bigint } | null {
  const range = rangeOf(CARD, currency)
  return range ? { minMinor: range.minMinor, maxMinor: range.maxMinor } : null
}

export const cardCurrencies = (): string[] => Object.keys(CARD.ranges)

/** Whether cards are charged with real money here: the provider's key is set and may be used. */
export const hasLiveCards = (app: App): boolean => usableAccounts(app, CARD).length > 0

/**
 * Returns the provider's page for this payment. Throws `channel_not_available`, `limit_reached`, `payments_not_configured`
 * or `payment_refused` when a retry cannot help, and `rail_unavailable` when it can.
 */
export async function startCardPayment(app: App, input: CardPaymentInput): Promise<CardPaymentPage> {
  requireServed(app, input)
  const payment = await initiate(app, {
    ...input,
    ...{ channel: 'card', phone: null, customerName: input.orgName },
  })
  const { reference, mode, handOff } = payment
  const authorizationUrl = handOff?.authorizationUrl
  if (authorizationUrl === undefined) throw await failWithoutPage(app, payment)
  return { reference, authorizationUrl, mode }
}

function requireServed(app: App, { amountMinor, currency, reference }: CardPaymentInput): void {
  const range = cardRange(currency)
  const isServed = findCardAccount(app, currency) !== null
  if (!range || (hasLiveCards(app) && !isServed)) {
    const served = cardCurrencies().filter((each) => isCurrency(each) && findCardAccount(app, each))
    throw new ApiError('channel_not_available', {
      error: `Cards do not support ${currency} yet; they support ${served.join(', ')}. You can top up your wallet in other ways.`,
      channels: servedChannels(app, currency),
    })
  }
  const { minMinor, maxMinor } = range
  if (amountMinor >= minMinor && amountMinor <= maxMinor) return
  const [least, most] = [minMinor, maxMinor].map((minor) => format(money(minor, currency)))
  throw refused(reference, `A card payment must be from ${least} to ${most}.`)
}

/** Longer than a provider call takes: until then a concurrent call may still store the page. */
const IN_FLIGHT = { seconds: 60 }

/**
 * The provider accepted the payment and its page is lost, so the payer cannot pay: the payment fails. If it is paid after
 * all, it is still credited.
 */
async function failWithoutPage(app: App, { reference, status, createdAt }: Payment): Promise<ApiError> {
  if (status === 'settled' || status === 'review')
    return refused(reference, 'This was paid already. Check its status.')
  if (status === 'pending' && app.clock.now() < after(createdAt, IN_FLIGHT))
    return new ApiError('rail_unavailable', { reference })
  const reason = 'The page of the payment provider could not be opened. Start again.'
  if (status === 'pending') await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
  return refused(reference, reason)
}
