// Beginning a top-up: written down first, then handed to the rail, then answered. A retry of the same intent finds the
// same reference and goes on where the last attempt stopped.
import { present } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Committed, Once } from '../../platform/http/idempotency.ts'
import { firstCheckAfter, isPush, lifeOf } from '../channel-life.ts'
import { type ChannelName, channelByName } from '../channels.ts'
import { findAccount, selectAccount, usableAccounts } from '../rails/accounts.ts'
import { callingCodeOf } from '../rails/markets.ts'
import type { HandOff } from '../rails/rail.ts'
import { reconcilePayment } from '../settle/reconcile.ts'
import * as sql from '../sql/payments.ts'
import { listChannels } from '../topups.ts'
import { type Attempt, handOver, refused } from './initiate.ts'
import { checkTopupLimits } from './limits.ts'
import { sealPhone } from './payer-phone.ts'
import { type TopupInput, type ValidTopup, validateTopup } from './validate-topup.ts'

export type TopupWish = TopupInput & { readonly email?: string | undefined }
export type TopupResult = HandOff &
  Pick<sql.Topup, 'reference' | 'mode' | 'status' | 'channel' | 'amountMinor' | 'currency' | 'expiresAt'>

/** Money that could not be spent is not taken: a suspended organisation begins no top-up. Those it began still settle. */
export async function startTopup(
  app: App,
  actor: Actor,
  wish: TopupWish,
  once: Once,
): Promise<Committed<TopupResult>> {
  if (actor.org.suspended) throw new ApiError('org_suspended')
  const offered = listChannels(app, actor).channels.map(({ channel }) => channel)
  const wanted = validateTopup(wish, actor.org.currency, offered, isSetUp(app, wish.channel))
  requirePhoneOfAccount(app, wanted, actor.org.currency)
  const reference = referenceOf(once)
  const { topup, isNew } = await begin(app, actor, reference, wanted, wish.email ?? actor.email)
  const attempt = {
    payment: topup,
    isNew,
    phone: wanted.phone,
    customerName: actor.org.name,
    description: 'Cowrie top-up',
  }
  const handed = isNew ? await hand(app, attempt) : await goOn(app, attempt)
  return once.commit(actor.orgId, async () => toResult(handed))
}

/** Whether the channel's provider can take any money here, or the mock takes its place. */
const isSetUp = (app: App, name: ChannelName): boolean => usableAccounts(app, channelByName(name)).length > 0

/** Where a currency is paid from the phones of several countries, an account asks those of its own country only. */
function requirePhoneOfAccount(app: App, { channel, phone }: ValidTopup, currency: Currency): void {
  const isServed = findAccount(app, channel.name, currency) !== null
  if (!isServed || phone === null || findAccount(app, channel.name, currency, phone)) return
  const codes = usableAccounts(app, channel)
    .filter(({ currencies }) => currencies.includes(currency))
    .flatMap(({ account }) => callingCodeOf(account) ?? [])
  throw invalidFields({ path: 'phone', message: `must be a number that begins with ${codes.join(' or ')}` })
}

/** 28 small letters and digits, the same for every retry. */
const referenceOf = ({ id }: Once): string => `tp${id.slice('idem_'.length)}`

/** Writes the top-up down before anybody outside hears of it, or finds it written down. */
function begin(
  app: App,
  { orgId, userId, org: { currency } }: Actor,
  reference: string,
  { channel: { name: channel }, amountMinor, phone }: ValidTopup,
  email: string,
): Promise<{ topup: sql.Topup; isNew: boolean }> {
  return app.db.tx(orgId, async (tx) => {
    await tx.lock(`top-ups of ${orgId}`)
    const earlier = await sql.findPayment(tx, orgId, reference)
    if (earlier) return { topup: earlier, isNew: false }

    const { mode, rail } = selectAccount(app, channel, currency, phone)
    await checkTopupLimits(app, tx, orgId, { channel, phone, mode })
    const topup = await sql.insertTopup(tx, {
      reference,
      orgId,
      userId,
      channel,
      rail: rail.name,
      account: mode === 'mock' ? null : rail.account,
      mode,
      currency,
      amountMinor,
      email,
      phoneSealed: phone && sealPhone(app, reference, phone),
      nextCheckAt: after(tx.now, firstCheckAfter(channel)),
      expiresAt: after(tx.now, lifeOf(channel)),
    })
    return { topup, isNew: true }
  })
}

/** What the provider said no to is not asked about any more, unless an earlier attempt may have reached it. */
async function hand(app: App, attempt: Attempt): Promise<sql.Topup> {
  const { reference, orgId } = attempt.payment
  const handed = await handOver(app, attempt)
  switch (handed.outcome) {
    case 'taken':
      return handed.payment
    case 'refused':
      await app.db.tx(orgId, (tx) =>
        sql.markRefused(tx, reference, handed.reason.slice(0, 500), attempt.isNew),
      )
      throw refused(reference, handed.reason)
    case 'known':
      return askInstead(app, attempt.payment)
  }
}

/** A retry: what was told before is told again, and a phone that may have rung does not ring again. */
async function goOn(app: App, attempt: Attempt): Promise<sql.Topup> {
  const { payment: topup } = attempt
  if (topup.status === 'failed' || topup.status === 'expired') throw refused(topup.reference, topup.reason)
  if (topup.status !== 'pending' || topup.handOff) return topup
  return isPush(topup.channel) ? askInstead(app, topup) : hand(app, attempt)
}

/** The provider knows it, or may: it is asked how the payment stands, and the payer is told what we know. */
async function askInstead(app: App, { reference, orgId, channel }: sql.Topup): Promise<sql.Topup> {
  await reconcilePayment(app, reference, 'verify')
  const topup = present(
    await app.db.tx(orgId, (tx) => sql.findPayment(tx, orgId, reference)),
    'a top-up that was written down is there',
  )
  if (topup.status === 'failed') throw refused(reference, topup.reason)
  const displayText = isPush(channel) ? MAY_HAVE_RUNG : PAGE_IS_LOST
  return { ...topup, handOff: topup.handOff ?? { displayText } }
}

const MAY_HAVE_RUNG =
  'Your phone may have been asked to confirm this payment. If it was, confirm it there; if nothing comes within a few minutes, start a new top-up.'
const PAGE_IS_LOST =
  'The provider has this payment already, and its page cannot be opened again. If you have not paid, start a new top-up.'

export function toResult(topup: sql.Topup): TopupResult {
  const { reference, mode, status, channel, amountMinor, currency, expiresAt, handOff } = topup
  const { authorizationUrl, ussdCode, displayText, otpRequired } = handOff ?? {}
  return {
    reference,
    mode,
    ...(authorizationUrl !== undefined && { authorizationUrl }),
    ...(ussdCode !== undefined && { ussdCode }),
    ...(displayText !== undefined && { displayText }),
    ...(otpRequired !== undefined && { otpRequired }),
    status,
    channel,
    amountMinor,
    currency,
    expiresAt,
  }
}
