// Plans, bills and cards of one organisation as they are handed over. Of a card that is its face and nothing that charges it.
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { TimeCursor } from '../platform/http/page.ts'

export type Listed = { id: string; createdAt: Date }

export function subscriptionsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<Listed>`
    select id, plan_code as "planCode", interval, status, rate_card_version as "rateCardVersion", currency, seats,
           is_comped as "isComped", refunded_minor as "refundedMinor", period_start as "currentPeriodStart",
           period_end as "currentPeriodEnd", cancel_at_period_end as "cancelAtPeriodEnd",
           scheduled_plan_code as "scheduledPlanCode", scheduled_interval as "scheduledInterval",
           created_at as "createdAt", ended_at as "endedAt"
    from subscriptions where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function billsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<Listed>`
    select id, subscription_id as "subscriptionId", kind, status, currency, amount_minor as "amountMinor", lines,
           user_id as "userId", period_start as "periodStart", reason, invoice_id as "invoiceId",
           created_at as "createdAt", ended_at as "endedAt"
    from bills where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function cardsAfter(tx: Tx, org: OrgId, after: TimeCursor, limit: number) {
  return tx.rows<Listed>`
    select id, brand, last4, exp_month as "expMonth", exp_year as "expYear", bank, country, is_default as "isDefault",
           created_at as "createdAt", removed_at as "removedAt"
    from cards where org_id = ${org} and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`
}

export function givenPlan(tx: Tx, org: OrgId) {
  return tx.maybe<{ planCode: string }>`
    select plan_code as "planCode", until, created_at as "createdAt" from comps where org_id = ${org}`
}
