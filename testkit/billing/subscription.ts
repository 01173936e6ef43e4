// Requests, rows and checks for tests of subscriptions.

import { billingChecks } from '@cowrie/server/src/billing/invariants.ts'
import type { SubscriptionView } from '@cowrie/server/src/billing/subscriptions/view.ts'
import { invoiceChecks } from '@cowrie/server/src/invoices/invoices.ts'
import { paymentChecks, reconcilePayment } from '@cowrie/server/src/payments/payments.ts'
import { runChecks, walletChecks } from '@cowrie/server/src/wallet/wallet.ts'
import { expect } from 'vitest'
import type { Person, Reply } from '../harness/harness.ts'
import type { World } from './world.ts'

export type { World } from './world.ts'

export type SubscriptionReply = {
  activated?: true
  authorizationUrl?: string
  reference?: string
  changed?: true
  scheduled?: true
  cleared?: true
  ok?: true
  cancelAtPeriodEnd?: boolean
  effectiveAt?: string
  seats?: number
  chargedMinor?: bigint
  chargeNowMinor?: bigint
  walletCreditMinor?: bigint
  subscription?: SubscriptionView
  code?: string
  error?: string
  reason?: string
}

export const postSubscription = (
  { server }: World,
  as: { bearer: string },
  action: 'checkout' | 'change' | 'seats' | 'cancel' | 'preview',
  body: object = {},
  key?: string,
): Promise<Reply<SubscriptionReply>> =>
  server.call<SubscriptionReply>('POST', `/subscription/${action}`, {
    as,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

export type CurrentReply = {
  subscription: SubscriptionView | null
  plan: { code: string } | null
  includedRemainingMinor: bigint
}
export const getSubscription = async ({ server }: World, as: { bearer: string }): Promise<CurrentReply> =>
  (await server.call<CurrentReply>('GET', '/subscription', { as })).body

let count = 0

/** Starts a plan and pays for it with a new card. Returns the last digits of that card. */
export async function subscribe(world: World, as: Person, planCode: string, interval = 'month') {
  const { body } = await postSubscription(world, as, 'checkout', { planCode, interval })
  const reference = String(body.reference)
  const last4 = String(4_000 + ++count)
  await pay(world, reference, last4)
  return { reference, last4 }
}

/** Pays on the page and reconciles the payment. */
export async function pay({ server, bank }: World, reference: string, last4 = '4081') {
  bank.cards.payWith(reference, { last4 })
  await reconcileByWebhook({ server }, reference)
}

export const reconcileByWebhook = ({ server }: Pick<World, 'server'>, reference: string) =>
  reconcilePayment(server.app, reference, 'webhook')

export const chargesOf = ({ bank }: World, last4: string): number =>
  bank.cards.charges.filter((charge) => charge.last4 === last4).length

export type OrgRow = { plan: string | null; status: string | null; tier: string; seats: number }
export const orgOf = ({ server }: World, { orgId }: Person): Promise<OrgRow> =>
  server.sql.one<OrgRow>`
    select plan_code as plan, subscription_status as status, tier, seat_allotment as seats from orgs where id = ${orgId}`

export const walletOf = ({ server }: World, { orgId }: Person) =>
  server.sql.one<{ balance: bigint; included: bigint }>`
    select balance_minor as balance, included_minor as included from wallets where org_id = ${orgId}`

export const invoicesOf = ({ server }: World, { orgId }: Person) =>
  server.sql.rows<{ subject: string; status: string; total: bigint }>`
    select subject, status, total_minor as total from invoices where org_id = ${orgId} order by seq`

export const billsOf = ({ server }: World, { orgId }: Person) =>
  server.sql.rows<{ id: string; kind: string; status: string; amount: bigint; reason: string | null }>`
    select id, kind, status, amount_minor as amount, reason from bills where org_id = ${orgId} order by created_at, id`

export async function auditOf({ server }: World, { orgId }: Person): Promise<string[]> {
  const rows = await server.sql.rows<{ action: string; kind: string }>`
    select action, actor_kind as kind from audit_entries where org_id = ${orgId} and action like 'subscription.%' order by seq`
  return rows.map(({ action, kind }) => `${kind} ${action}`)
}

/** Runs all money invariants. */
export async function expectInvariants({ server }: World): Promise<void> {
  const checks = [...walletChecks, ...paymentChecks, ...invoiceChecks, ...billingChecks]
  const results = await runChecks(server.app, checks)
  expect(results.filter(({ ok }) => !ok)).toEqual([])
}
