// The billing data of an organisation for its data export, and the end of its plan when it closes.
import { assert } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { OrgClosure, TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { findCards, markRemoved } from './cards/cards-sql.ts'
import { FORGET_CARD } from './cards/forget-card.ts'
import { endSubscription } from './subscriptions/lifecycle.ts'
import { findCurrentSubscription, findLiveSubscription } from './subscriptions/subscriptions.ts'
import { exportTopup } from './topup-rule/topup-rule-sql.ts'
import { turnOffTopup } from './topup-rule/turn-off.ts'

const cursorOf = ({ createdAt, id }: ExportRow) => [createdAt, id] as const

export const billingTenantData: TenantData<App> = {
  facts: {
    givenPlan: async (_app, tx, org) => (await findComplimentaryPlan(tx, org)) ?? null,
    automaticTopup: async (_app, tx, org) => (await exportTopup(tx, org)) ?? null,
  },
  exports: {
    subscriptions: byTime(subscriptionsAfter, cursorOf),
    bills: byTime(billsAfter, cursorOf),
    cards: byTime(cardsAfter, cursorOf),
  },
  tables: ['subscriptions', 'bills', 'cards', 'comps', 'automatic_topups'],
  withheld: { previews: 'quoted prices, valid for an hour; the charged prices are in `bills`' },
  mayClose: (_app, tx, closing) => closureProblem(tx, closing),
  close: endBilling,
}

/** A comped plan is free and ends with the organisation. */
async function closureProblem(tx: Tx, { orgId, forfeitPlan }: OrgClosure): Promise<string | null> {
  const live = await findLiveSubscription(tx, orgId)
  if (!live || live.isComped || live.planCode === forfeitPlan) return null
  const { planCode, status, cancelAtPeriodEnd, periodEnd } = live
  const day = periodEnd.toISOString().slice(0, 10)
  if (status === 'past_due')
    return `The ${planCode} plan has an unpaid renewal. Cancel it first; it then ends at once.`
  const first = cancelAtPeriodEnd ? '' : 'cancel it now and '
  return `The ${planCode} plan is paid until ${day}. Either ${first}close the organisation after that day, or forfeit the rest of the plan by sending \`forfeitPlan\`: "${planCode}".`
}

// An organisation has one live subscription, and perhaps some unpaid checkouts.
const ENDED_MAX = 1_000

async function endBilling(app: App, tx: Tx, { orgId }: OrgClosure): Promise<void> {
  for (let ended = 0; ; ended++) {
    const subscription = await findCurrentSubscription(tx, orgId)
    if (!subscription) break
    assert(ended < ENDED_MAX, `${orgId} has few subscriptions`)
    // A payment that arrives later finds the subscription ended and stays in the wallet.
    await endSubscription(app, tx, subscription, 'The organisation was closed.')
  }
  const why = 'the organisation was closed'
  await turnOffTopup(tx, orgId, { actor: { kind: 'system' }, ip: null, why })
  for (const { id } of await findCards(tx, orgId)) {
    await markRemoved(tx, id)
    await enqueue(tx, FORGET_CARD, { cardId: id }, { key: id })
  }
}

export type ExportRow = { id: string; createdAt: Date }

export function subscriptionsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportRow>`
    select id, plan_code as "planCode", interval, status, rate_card_version as "rateCardVersion", currency, seats,
           is_comped as "isComped", refunded_minor as "refundedMinor", period_start as "currentPeriodStart",
           period_end as "currentPeriodEnd", cancel_at_period_end as "cancelAtPeriodEnd",
           scheduled_plan_code as "scheduledPlanCode", scheduled_interval as "scheduledInterval",
           created_at as "createdAt", ended_at as "endedAt"
    from subscriptions where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function billsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportRow>`
    select id, subscription_id as "subscriptionId", kind, status, currency, amount_minor as "amountMinor", lines,
           user_id as "userId", period_start as "periodStart", reason, invoice_id as "invoiceId",
           created_at as "createdAt", ended_at as "endedAt"
    from bills where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function cardsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<ExportRow>`
    select id, brand, last4, exp_month as "expMonth", exp_year as "expYear", bank, country, is_default as "isDefault",
           created_at as "createdAt", removed_at as "removedAt"
    from cards where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function findComplimentaryPlan(tx: Tx, org: OrgId) {
  return tx.maybe<{ planCode: string }>`
    select plan_code as "planCode", until, created_at as "createdAt" from comps where org_id = ${org}`
}
