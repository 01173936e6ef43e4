import { postSubscription, subscribe, type World } from '@cowrie/testkit/billing/subscription.ts'
import { startFakePaystack } from '@cowrie/testkit/fakes/payments/paystack.ts'
import { type Person, startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runChecks } from '../wallet/wallet.ts'
import { billingChecks } from './invariants.ts'

let world: World
let ada: Person
beforeAll(async () => {
  const bank = await startFakePaystack()
  world = { bank, server: await startTestServer({ variables: bank.variables }) }
  ada = await world.server.person()
  await subscribe(world, ada, 'pro')
  await postSubscription(world, await world.server.person(), 'checkout', { planCode: 'pro' })
})
afterAll(async () => {
  await world.server.close()
  await world.bank.close()
})

const broken = async (): Promise<string[]> =>
  (await runChecks(world.server.app, billingChecks)).filter(({ ok }) => !ok).map(({ name }) => name)

test('the checks pass until stored data is changed', async () => {
  const { sql } = world.server
  const results = await runChecks(world.server.app, billingChecks)
  expect(results.map(({ checked, violations }) => [checked, violations])).toEqual(Array(4).fill([1n, 0n]))

  await sql.rows`update bills set amount_minor = amount_minor + 1 where org_id = ${ada.orgId}`
  expect(await broken()).toEqual(['paid_bills_are_debits', 'bills_are_paid_once'])
  await sql.rows`update bills set amount_minor = amount_minor - 1 where org_id = ${ada.orgId}`

  await sql.rows`update orgs set plan_code = 'team' where id = ${ada.orgId}`
  expect(await broken()).toEqual(['organisations_follow_their_subscriptions'])
  await sql.rows`update orgs set plan_code = 'pro', seat_allotment = 2 where id = ${ada.orgId}`
  expect(await broken()).toEqual(['organisations_follow_their_subscriptions'])
  await sql.rows`update orgs set seat_allotment = 1 where id = ${ada.orgId}`

  await sql.rows`
    update bills set status = 'abandoned', ended_at = ${world.server.clock.now()} where status = 'open'`
  expect(await broken()).toEqual(['checkouts_have_bills'])
})
