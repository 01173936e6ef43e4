// What a change would cost, told before it is made, by the same rules that the change itself follows.
import type { z } from 'zod'
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { requireSeats } from '../changes/change-seats.ts'
import {
  type Changeable,
  lockBilled,
  lockChangeable,
  requirePlanCode,
  requireRoom,
} from '../changes/changeable.ts'
import { compFor } from '../plans/comps.ts'
import { type PlanCode, planOf, rateCardInForce } from '../plans/plans.ts'
import type { Preview, PreviewBody } from '../plans/schema.ts'
import { seatsInto } from '../subscriptions/subscription-plan.ts'
import { currentSubscription } from '../subscriptions/subscriptions.ts'
import { planTarget, rememberPreview, seatsTarget } from './previews.ts'
import {
  directionOf,
  nextAmount,
  type Quote,
  quoteDowngrade,
  quoteGiven,
  quoteSeats,
  quoteStart,
  quoteUpgrade,
  type Target,
} from './quote.ts'

type Asked = z.output<typeof PreviewBody>
type Kind = z.output<typeof Preview>['kind']
/** Without a target nothing is kept: what is given away is given by a permission that may be taken back. */
type Told = After & { readonly kind: Kind; readonly quote: Quote; readonly target: string | null }
/** How many seats there are then, and when the next renewal is. */
type After = { readonly seats: number; readonly nextAt: Date }

/** Says what it would cost, and keeps it for the hour in which it is the price. */
export function previewChange(app: App, actor: Actor, asked: Asked): Promise<z.input<typeof Preview>> {
  const planCode = asked.planCode === undefined ? null : requirePlanCode(asked.planCode)
  return app.db.tx(actor.orgId, async (tx) => {
    const current = await currentSubscription(tx, actor.orgId)
    const isLive = current !== undefined && current.status !== 'incomplete'
    if (!isLive && planCode)
      return previewStart(app, tx, actor, { planCode, interval: asked.interval ?? 'month' })
    const changeable = await lockChangeable(app, tx, actor.orgId)
    const { subscription } = changeable
    const { kind, quote, target, ...after } =
      planCode === null
        ? tellSeats(changeable, asked.seats ?? subscription.seats)
        : await tellPlan(tx, changeable, { planCode, interval: asked.interval ?? subscription.interval })
    const expiresAt = target === null ? null : await rememberPreview(tx, subscription, target, quote)
    return shown(kind, quote, after, subscription.currency, expiresAt)
  })
}

async function previewStart(app: App, tx: Tx, { orgId }: Actor, { planCode, interval }: Target) {
  const org = await lockBilled(tx, orgId)
  const version = rateCardInForce(app)
  const plan = planOf(version, planCode, interval, org.currency)
  requireRoom(plan, org)
  const { occupied } = org
  const quote = quoteStart(plan, version, tx.now, { isComped: await isComped(tx, orgId, planCode), occupied })
  return shown('start', quote, afterOf(quote), org.currency, null)
}

function tellSeats(changeable: Changeable, seats: number): Told {
  requireSeats(changeable, seats)
  const { subscription, given } = changeable
  const quote = quoteSeats(subscription, seats, given)
  return { kind: 'seats', quote, target: seatsTarget(seats), ...afterOf(quote) }
}

async function tellPlan(tx: Tx, changeable: Changeable, wanted: Target): Promise<Told> {
  const { subscription, given, org } = changeable
  const { orgId, rateCardVersion, currency } = subscription
  const target = planTarget(wanted)
  const direction = directionOf(subscription, wanted)
  const { seats, periodEnd: nextAt } = subscription
  if (direction === 'same') return { kind: 'cleared', quote: quoteCleared(changeable), target, seats, nextAt }
  const plan = planOf(rateCardVersion, wanted.planCode, wanted.interval, currency)
  requireRoom(plan, org)
  if (direction === 'down') {
    const quote = quoteDowngrade(subscription, wanted, given)
    return { kind: 'downgrade', quote, target, seats: seatsInto(plan, subscription, given.occupied), nextAt }
  }
  const isGift = await isComped(tx, orgId, wanted.planCode)
  const quote = isGift
    ? quoteGiven(subscription, wanted.planCode, given)
    : quoteUpgrade(subscription, wanted, given)
  return { kind: 'upgrade', quote, target: isGift ? null : target, ...afterOf(quote) }
}

function afterOf({ effect }: Quote): After {
  const { seats, periodEnd: nextAt } = present(effect, 'what happens now has an effect')
  return { seats, nextAt }
}

const isComped = async (tx: Tx, orgId: Actor['orgId'], planCode: PlanCode): Promise<boolean> =>
  (await compFor(tx, orgId, tx.now))?.planCode === planCode

/** Nothing changes, and whatever was to change will not. */
function quoteCleared({ subscription, given }: Changeable): Quote {
  const kept = { ...subscription, cancelAtPeriodEnd: false, scheduledPlanCode: null, scheduledInterval: null }
  return {
    lines: [],
    chargeNowMinor: 0n,
    creditMinor: 0n,
    walletCreditMinor: 0n,
    effectiveAt: given.now,
    nextAmountMinor: nextAmount(kept, given.occupied),
    effect: null,
  }
}

function shown(
  kind: Kind,
  quote: Quote,
  after: After,
  currency: z.input<typeof Preview>['currency'],
  expiresAt: Date | null,
) {
  const { effect: _, lines, ...told } = quote
  return { kind, currency, ...told, ...after, lines: [...lines], expiresAt }
}
