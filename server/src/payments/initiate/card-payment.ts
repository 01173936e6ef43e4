// Payments by card on the provider's page, for whatever is sold: written down first, then handed to the rail. The same
// reference again is the same payment, and tells the same page.
import { after, before } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { type Currency, format, isCurrency, money } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { firstCheckAfter, lifeOf } from '../channel-life.ts'
import { channelByName, channelsFor, rangeOf } from '../channels.ts'
import { findAccount, type Mode, selectAccount, usableAccounts } from '../rails/accounts.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import { settlePayment } from '../settle/settle.ts'
import { countPendingCards, insertCardPayment } from '../sql/card-payments-sql.ts'
import { findPayment, type Topup } from '../sql/payments.ts'
import { type Attempt, handOver, refused } from './initiate.ts'

export type CardPaymentInput = {
  readonly reference: string
  readonly purpose: 'card' | 'bill'
  readonly billId: string | null
  readonly orgId: OrgId
  readonly userId: string
  readonly orgName: string
  readonly email: string
  readonly amountMinor: bigint
  readonly currency: Currency
  /** Shown to the payer. */
  readonly description: string
}
export type CardPaymentPage = {
  readonly reference: string
  readonly authorizationUrl: string
  readonly mode: Mode
}

const CARD = channelByName('card')

/** What one payment by card may be; null where no card serves the currency. */
export function cardRange(currency: Currency): { minMinor: bigint; maxMinor: bigint } | null {
  const range = rangeOf(CARD, currency)
  return range ? { minMinor: range.minMinor, maxMinor: range.maxMinor } : null
}

/** The currencies that cards serve. */
export const cardCurrencies = (): string[] => Object.keys(CARD.ranges)

/** Whether cards are charged with real money here: the provider's key is set and may be used. */
export const hasLiveCards = (app: App): boolean => usableAccounts(app, CARD).length > 0

/**
 * Asks the rail for a page on which this is paid. Throws `channel_not_available`, `limit_reached`,
 * `payments_not_configured`, `payment_refused` when nothing can come of it, and `rail_unavailable` when the same may be
 * tried again.
 */
export async function startCardPayment(app: App, wanted: CardPaymentInput): Promise<CardPaymentPage> {
  requireServed(app, wanted)
  const { payment, isNew } = await begin(app, wanted)
  const { orgName: customerName, description } = wanted
  const attempt = { payment, isNew, phone: null, customerName, description }
  const handed = isNew ? await hand(app, attempt) : await goOn(app, attempt)
  const authorizationUrl = handed.handOff?.authorizationUrl
  if (authorizationUrl === undefined) throw await loseTrack(app, handed)
  return { reference: handed.reference, authorizationUrl, mode: handed.mode }
}

function requireServed(app: App, { amountMinor, currency, reference }: CardPaymentInput): void {
  const range = cardRange(currency)
  const isServed = findAccount(app, 'card', currency) !== null
  if (!range || (hasLiveCards(app) && !isServed)) {
    const channels = channelsFor(currency)
      .map(({ name }) => name)
      .filter((name) => findAccount(app, name, currency))
    const served = cardCurrencies().filter((each) => isCurrency(each) && findAccount(app, 'card', each))
    throw new ApiError('channel_not_available', {
      error: `Cards do not serve ${currency} yet; they serve ${served.join(', ')}. Your wallet can be topped up in other ways.`,
      channels,
    })
  }
  const { minMinor, maxMinor } = range
  if (amountMinor >= minMinor && amountMinor <= maxMinor) return
  const [least, most] = [minMinor, maxMinor].map((minor) => format(money(minor, currency)))
  throw refused(reference, `A card takes from ${least} to ${most} at a time.`)
}

/** Writes the payment down before anybody outside hears of it, or finds it written down. */
function begin(app: App, wanted: CardPaymentInput): Promise<{ payment: Topup; isNew: boolean }> {
  const { orgId, reference } = wanted
  return app.db.tx(orgId, async (tx) => {
    await tx.lock(`top-ups of ${orgId}`)
    const earlier = await findPayment(tx, orgId, reference)
    if (earlier) return { payment: earlier, isNew: false }

    await checkCardLimit(tx, orgId)
    const { mode, rail } = selectAccount(app, 'card', wanted.currency)
    const { purpose, billId, userId, currency, amountMinor, email } = wanted
    const payment = await insertCardPayment(tx, {
      ...{ reference, orgId, userId, purpose, billId, cardId: null, currency, amountMinor, email, mode },
      rail: rail.name,
      account: mode === 'mock' ? null : rail.account,
      nextCheckAt: after(tx.now, firstCheckAfter('card')),
      expiresAt: after(tx.now, lifeOf('card')),
    })
    return { payment, isNew: true }
  })
}

/** Of the last hour, so that pages which nobody pays on do not pile up. */
const UNDECIDED_MAX = 20

/** Throws `limit_reached`. Before something is written down that a page is to pay for. */
export async function checkCardLimit(tx: Tx, org: OrgId): Promise<void> {
  if ((await countPendingCards(tx, org, before(tx.now, { hours: 1 }))) < UNDECIDED_MAX) return
  throw new ApiError('limit_reached', {
    error: `${UNDECIDED_MAX} card payments of the last hour still wait to be paid; finish one of them, or start the next later.`,
    retryAfter: 60,
  })
}

async function hand(app: App, attempt: Attempt): Promise<Topup> {
  const { payment } = attempt
  const handed = await handOver(app, attempt)
  if (handed.outcome === 'taken') return handed.payment
  if (handed.outcome === 'known') return askInstead(app, payment)
  // By the settlement, so that what it was to pay for hears of it.
  await settlePayment(app, payment.reference, { status: 'failed', reason: handed.reason }, 'verify')
  throw refused(payment.reference, handed.reason)
}

/** A retry: what was told before is told again. */
async function goOn(app: App, attempt: Attempt): Promise<Topup> {
  const { payment } = attempt
  if (payment.status === 'failed' || payment.status === 'expired')
    throw refused(payment.reference, payment.reason)
  if (payment.status === 'review')
    throw new ApiError('change_in_progress', {
      error: 'A payment for this has come in and is being checked by us; you need not pay again.',
      reference: payment.reference,
    })
  return payment.status !== 'pending' || payment.handOff ? payment : hand(app, attempt)
}

async function askInstead(app: App, payment: Topup): Promise<Topup> {
  const { orgId, reference } = payment
  await reconcilePayment(app, reference, 'verify')
  return (await app.db.tx(orgId, (tx) => findPayment(tx, orgId, reference))) ?? payment
}

/** Longer than a call takes: until then another may be about to write down which page it got. */
const IN_FLIGHT = { seconds: 60 }

/**
 * The provider has it, and its page was told to nobody: so nobody can pay, and it counts as failed. Should it be paid in
 * spite of that, the money is not lost.
 */
async function loseTrack(app: App, { reference, status, createdAt }: Topup): Promise<ApiError> {
  if (status === 'settled' || status === 'review')
    return refused(reference, 'This was paid already; look at how it stands.')
  if (status === 'pending' && app.clock.now() < after(createdAt, IN_FLIGHT))
    return new ApiError('rail_unavailable', { reference })
  const reason = 'The page of the payment provider could not be opened; begin again.'
  if (status === 'pending') await settlePayment(app, reference, { status: 'failed', reason }, 'verify')
  return refused(reference, reason)
}
