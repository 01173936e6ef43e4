// Previews the cost of a change with the same rules as the change itself.
import type { z } from 'zod'
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { requireValidSeats } from '../changes/change-seats.ts'
import {
  type ChangeContext,
  lockBilledOrg,
  lockForChange,
  requireEnoughSeats,
  requirePlanCode,
} from '../changes/changeable.ts'
import { findActiveComp } from '../plans/comps.ts'
import { currentRateCard, type PlanCode, planOf } from '../plans/plans.ts'
import type { Preview, PreviewBody } from '../plans/schema.ts'
import { seatsAfterChange } from '../subscriptions/subscription-plan.ts'
import { findCurrentSubscription } from '../subscriptions/subscriptions.ts'
import { planTarget, savePreview, seatsTarget } from './previews.ts'
import {
  changeDirection,
  nextRenewalAmount,
  type PlanTarget,
  type Quote,
  quoteComp,
  quoteDowngrade,
  quoteSeats,
  quoteStart,
  quoteUpgrade,
} from './quote.ts'

type PreviewInput = z.output<typeof PreviewBody>
type PreviewKind = z.output<typeof Preview>['kind']
/** A null target is not saved: a comp may be revoked before the change. */
type PreviewResult = StateAfter & {
  readonly kind: PreviewKind
  readonly quote: Quote
  readonly target: string | null
}
/** The number of seats after the change, and the date of the next renewal. */
type StateAfter = { readonly seats: number; readonly nextAt: Date }

/** Quotes the change and saves the quote for the hour in which it is valid. */
export function previewChange(app: App, actor: Actor, asked: PreviewInput): Promise<z.input<typeof Preview>> {
  const planCode = asked.planCode === undefined ? null : requirePlanCode(asked.planCode)
  return app.db.tx(actor.orgId, async (tx) => {
    const current = await findCurrentSubscription(tx, actor.orgId)
    const isLive = current !== undefined && current.status !== 'incomplete'
    if (!isLive && planCode)
      return previewStart(app, tx, actor, { planCode, interval: asked.interval ?? 'month' })
    const changeable = await lockForChange(app, tx, actor.orgId)
    const { subscription } = changeable
    const { kind, quote, target, ...after } =
      planCode === null
        ? previewSeats(changeable, asked.seats ?? subscription.seats)
        : await previewPlan(tx, changeable, { planCode, interval: asked.interval ?? subscription.interval })
    const expiresAt = target === null ? null : await savePreview(tx, subscription, target, quote)
    return toReply(kind, quote, after, subscription.currency, expiresAt)
  })
}

async function previewStart(app: App, tx: Tx, { orgId }: Actor, { planCode, interval }: PlanTarget) {
  const org = await lockBilledOrg(tx, orgId)
  const version = currentRateCard(app)
  const plan = planOf(version, planCode, interval, org.currency)
  requireEnoughSeats(plan, org)
  const { occupied } = org
  const quote = quoteStart(plan, version, tx.now, { isComped: await isComped(tx, orgId, planCode), occupied })
  return toReply('start', quote, stateAfter(quote), org.currency, null)
}

function previewSeats(changeable: ChangeContext, seats: number): PreviewResult {
  requireValidSeats(changeable, seats)
  const { subscription, given } = changeable
  const quote = quoteSeats(subscription, seats, given)
  return { kind: 'seats', quote, target: seatsTarget(seats), ...stateAfter(quote) }
}

async function previewPlan(tx: Tx, changeable: ChangeContext, wanted: PlanTarget): Promise<PreviewResult> {
  const { subscription, given, org } = changeable
  const { orgId, rateCardVersion, currency } = subscription
  const target = planTarget(wanted)
  const direction = changeDirection(subscription, wanted)
  const { seats, periodEnd: nextAt } = subscription
  if (direction === 'same') return { kind: 'cleared', quote: quoteCleared(changeable), target, seats, nextAt }
  const plan = planOf(rateCardVersion, wanted.planCode, wanted.interval, currency)
  requireEnoughSeats(plan, org)
  if (direction === 'down') {
    const quote = quoteDowngrade(subscription, wanted, given)
    return {
      kind: 'downgrade',
      quote,
      target,
      seats: seatsAfterChange(plan, subscription, given.occupied),
      nextAt,
    }
  }
  const isGift = await isComped(tx, orgId, wanted.planCode)
  const quote = isGift
    ? quoteComp(subscription, wanted.planCode, given)
    : quoteUpgrade(subscription, wanted, given)
  return { kind: 'upgrade', quote, target: isGift ? null : target, ...stateAfter(quote) }
}

function stateAfter({ effect }: Quote): StateAfter {
  const { seats, periodEnd: nextAt } = present(effect, 'an immediate change has an effect')
  return { seats, nextAt }
}

const isComped = async (tx: Tx, orgId: Actor['orgId'], planCode: PlanCode): Promise<boolean> =>
  (await findActiveComp(tx, orgId, tx.now))?.planCode === planCode

/** The plan stays, and any scheduled change is cleared. */
function quoteCleared({ subscription, given }: ChangeContext): Quote {
  const kept = { ...subscription, cancelAtPeriodEnd: false, scheduledPlanCode: null, scheduledInterval: null }
  return {
    lines: [],
    chargeNowMinor: 0n,
    creditMinor: 0n,
    walletCreditMinor: 0n,
    effectiveAt: given.now,
    nextAmountMinor: nextRenewalAmount(kept, given.occupied),
    effect: null,
  }
}

function toReply(
  kind: PreviewKind,
  quote: Quote,
  after: StateAfter,
  currency: z.input<typeof Preview>['currency'],
  expiresAt: Date | null,
) {
  const { effect: _, lines, ...told } = quote
  return { kind, currency, ...told, ...after, lines: [...lines], expiresAt }
}
