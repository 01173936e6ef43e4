// The summary that the billing page shows first, from one transaction.
import type { z } from 'zod'
import { present } from '../kernel/assert.ts'
import { countMembers, findOrg } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { readUsedAllowance, readWallet } from '../wallet/wallet.ts'
import { monthAt } from './calendar.ts'
import type { Plan } from './plans/plans.ts'
import type { Summary } from './subscriptions/schema.ts'
import { soldPlan } from './subscriptions/subscription-plan.ts'
import { findCurrentSubscription, type Subscription } from './subscriptions/subscriptions.ts'
import { viewSubscription } from './subscriptions/view.ts'

export function readSummary(app: App, { orgId }: Actor): Promise<z.input<typeof Summary>> {
  return app.db.tx(orgId, async (tx) => {
    const wallet = await readWallet(tx, orgId)
    const { seatAllotment } = present(await findOrg(tx, orgId), 'the organisation of a caller exists')
    const seats = { allotment: seatAllotment, occupied: await countMembers(tx, orgId) }
    const subscription = await findCurrentSubscription(tx, orgId)
    const live = subscription?.status === 'incomplete' ? undefined : subscription
    const plan = live ? soldPlan(live) : null
    const view = subscription ? await viewSubscription(tx, subscription) : null
    return {
      currency: wallet.currency,
      wallet,
      subscription: view,
      plan,
      included: await readIncludedUsage(tx, live, plan, wallet.includedRemainingMinor),
      seats: summariseSeats(plan, live, seats),
      scheduledChange: view?.scheduledChange ?? null,
    }
  })
}

/** The allowance granted for the current month, and its use. A reserved amount counts as used. */
async function readIncludedUsage(
  tx: Tx,
  live: Subscription | undefined,
  plan: Plan | null,
  remainingMinor: bigint,
) {
  if (!live || !plan) return { totalMinor: remainingMinor, usedMinor: 0n, remainingMinor, resetsAt: null }
  const used = await readUsedAllowance(tx, live.orgId, monthAt(live.anchor, tx.now).start)
  // With too many postings to sum, the allowance of the plan is used instead.
  const unused = plan.includedUsageMinor - remainingMinor
  const usedMinor = used ?? (unused > 0n ? unused : 0n)
  const resetsAt = live.allowanceDueAt ?? live.periodEnd
  return { totalMinor: remainingMinor + usedMinor, usedMinor, remainingMinor, resetsAt }
}

/** Without a plan the organisation has the seats of its type. */
function summariseSeats(
  plan: Plan | null,
  live: Subscription | undefined,
  { allotment, occupied }: { allotment: number; occupied: number },
) {
  if (!plan || !live) return { allotment, purchased: 0, total: allotment, occupied }
  const purchased = Math.max(0, live.seats - plan.seatAllotment)
  return { allotment: plan.seatAllotment, purchased, total: allotment, occupied }
}
