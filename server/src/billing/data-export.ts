// What an organisation has of plans and cards, and how those end with it.
import { assert } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure, TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { endSubscription } from './apply.ts'
import { FORGET } from './card-forget.ts'
import { cardsOf, markRemoved } from './cards-sql.ts'
import { billsAfter, cardsAfter, givenPlan, type Listed, subscriptionsAfter } from './data-export-sql.ts'
import { currentSubscription, liveSubscription } from './sql.ts'

const placeOf = ({ createdAt, id }: Listed) => [createdAt, id] as const

export const billingOwned: TenantData = {
  facts: { givenPlan: async (_app, tx, org) => (await givenPlan(tx, org)) ?? null },
  exports: {
    subscriptions: byTime(subscriptionsAfter, placeOf),
    bills: byTime(billsAfter, placeOf),
    cards: byTime(cardsAfter, placeOf),
  },
  tables: ['subscriptions', 'bills', 'cards', 'comps'],
  withheld: { previews: 'what a change was said to cost, for an hour; what it did cost is in `bills`' },
  mayClose: (_app, tx, closing) => problemWith(tx, closing),
  close: end,
}

/** What is given away costs nobody anything, and ends with the organisation. */
async function problemWith(tx: Tx, { orgId, forfeitPlan }: OrgClosure): Promise<string | null> {
  const live = await liveSubscription(tx, orgId)
  if (!live || live.isComped || live.planCode === forfeitPlan) return null
  const { planCode, status, cancelAtPeriodEnd, periodEnd } = live
  const day = periodEnd.toISOString().slice(0, 10)
  if (status === 'past_due')
    return `The plan ${planCode} waits for a payment; cancel it first, which ends it at once.`
  const first = cancelAtPeriodEnd ? '' : 'cancel it now, and '
  return `The plan ${planCode} is paid until ${day}; ${first}close the organisation after that day, or give the rest of it up by sending \`forfeitPlan\`: "${planCode}".`
}

// An organisation has one that lives, and a few whose first payment never came.
const ENDED_MAX = 1_000

async function end(app: App, tx: Tx, { orgId }: OrgClosure): Promise<void> {
  for (let ended = 0; ; ended++) {
    const subscription = await currentSubscription(tx, orgId)
    if (!subscription) break
    assert(ended < ENDED_MAX, `${orgId} has few subscriptions`)
    // What is paid for one of them later finds it ended, and stays money in the wallet.
    await endSubscription(app, tx, subscription, 'The organisation was closed.')
  }
  for (const { id } of await cardsOf(tx, orgId)) {
    await markRemoved(tx, id)
    await enqueue(tx, FORGET, { cardId: id }, { key: id })
  }
}
