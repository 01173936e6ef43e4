// Previews the cost of a change with the same rules as the change itself.
import type { z } from 'zod'
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import {
  type ChangeContext,
  lockBilledOrg,
  lockForChange,
  requireEnoughSeats,
  requirePlanCode,
} from '../changes/change-context.ts'
import { requireValidSeats } from '../changes/change-seats.ts'
import { findActiveComp } from '../plans/comps.ts'
import { type PlanCode, planOf, planRateCard } from '../plans/plans.ts'
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
export function previewChange(app: App, actor: Actor, input: PreviewInput): Promise<z.input<typeof Preview>> {
  const planCode = input.planCode === undefined ? null : requirePlanCode(input.planCode)
  return app.db.tx(actor.orgId, async (tx) => {
    const current = await findCurrentSubscription(tx, actor.orgId)
    const isLive = current !== undefined && current.status !== 'incomplete'
    if (!isLive && planCode)
      return previewStart(app, tx, actor, { planCode, interval: input.interval ?? 'month' })
    const context = await lockForChange(app, tx, actor.orgId)
    const { subscription } = context
    const { kind, quote, target, ...after } =
      planCode === null
        ? previewSeats(context, input.seats ?? subscription.seats)
        : await previewPlan(tx, context, { planCode, interval: input.interval ?? subscription.interval })
    const expiresAt = target === null ? null : await savePreview(tx, subscription, target, quote)
    return toReply(kind, quote, after, subscription.currency, expiresAt)
  })
}

async function previewStart(app: App, tx: Tx, { orgId }: Actor, { planCode, interval }: PlanTarget) {
  const org = await lockBilledOrg(tx, orgId)
  const version = planRateCard(app)
  const plan = planOf(version, planCode, interval, org.currency)
  requireEnoughSeats(plan, org)
  const { occupied } = org
  const quote = quoteStart(plan, version, tx.now, { isComped: await isComped(tx, orgId, planCode), occupied })
  return toReply('start', quote, stateAfter(quote), org.currency, null)
}

function previewSeats(context: ChangeContext, seats: number): PreviewResult {
  requireValidSeats(context, seats)
  const { subscription, pricing } = context
  const quote = quoteSeats(subscription, seats, pricing)
  return { kind: 'seats', quote, target: seatsTarget(seats), ...stateAfter(quote) }
}

async function previewPlan(
  tx: Tx,
  context: ChangeContext,
  plannedTarget: PlanTarget,
): Promise<PreviewResult> {
  const { subscription, pricing, org } = context
  const { orgId, rateCardVersion, currency } = subscription
  const target = planTarget(plannedTarget)
  const direction = changeDirection(subscription, plannedTarget)
  const { seats, periodEnd: nextAt } = subscription
  if (direction === 'same') return { kind: 'cleared', quote: quoteCleared(context), target, seats, nextAt }
  const plan = planOf(rateCardVersion, plannedTarget.planCode, plannedTarget.interval, currency)
  requireEnoughSeats(plan, org)
  if (direction === 'down') {
    const quote = quoteDowngrade(subscription, plannedTarget, pricing)
    return {
      kind: 'downgrade',
      quote,
      target,
      seats: seatsAfterChange(plan, subscription, pricing.occupied),
      nextAt,
    }
  }
  const isCompedTarget = await isComped(tx, orgId, plannedTarget.planCode)
  const quote = isCompedTarget
    ? quoteComp(subscription, plannedTarget.planCode, pricing)
    : quoteUpgrade(subscription, plannedTarget, pricing)
  return { kind: 'upgrade', quote, target: isCompedTarget ? null : target, ...stateAfter(quote) }
}

function stateAfter({ effect }: Quote): StateAfter {
  const { seats, periodEnd: nextAt } = present(effect, 'an immediate change has an effect')
  return { seats, nextAt }
}

const isComped = async (tx: Tx, orgId: Actor['orgId'], planCode: PlanCode): Promise<boolean> =>
  (await findActiveComp(tx, orgId, tx.now))?.planCode === planCode

/** The plan stays, and any scheduled change is cleared. */
function quoteCleared({ subscription, pricing }: ChangeContext): Quote {
  const unscheduled = {
    ...subscription,
    cancelAtPeriodEnd: false,
    scheduledPlanCode: null,
    scheduledInterval: null,
  }
  return {
    lines: [],
    chargeNowMinor: 0n,
    creditMinor: 0n,
    walletCreditMinor: 0n,
    effectiveAt: pricing.now,
    nextAmountMinor: nextRenewalAmount(unscheduled, pricing.occupied),
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
  const { effect: _, lines, ...shown } = quote
  return { kind, currency, ...shown, ...after, lines: [...lines], expiresAt }
}
