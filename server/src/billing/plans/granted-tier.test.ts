// A tier that staff give stays, whatever is bought or lost.

import { expectInvariants, orgOf, postSubscription, subscribe } from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { beforeEach, expect, test } from 'vitest'
import { runRenewals } from '../renewals/renewals.ts'

const world = useWorld(expectInvariants)
let operator: Person
let ada: Person
beforeEach(async () => {
  operator ??= await world.server.person({ staff: 'operator' })
  ada = await world.server.person()
})

type Said = { policy: { tier: string; planTier: string; tierFrom: string }; warnings: string[] }
const give = async (tier: string): Promise<Said> =>
  (await world.server.call<Said>('PUT', `/orgs/${ada.orgId}/policy`, { as: operator, body: { tier } })).body
async function losePlan() {
  await postSubscription(world, ada, 'cancel')
  world.server.clock.advance({ days: 32 })
  await runRenewals(world.server.app)
}

test('an organisation that was given a tier keeps it when it buys a plan and when it loses it', async () => {
  await give('enterprise')
  await subscribe(world, ada, 'team')
  expect(await orgOf(world, ada)).toMatchObject({ plan: 'team', tier: 'enterprise', seats: 5 })
  expect(await give('enterprise')).toMatchObject({ policy: { planTier: 'team', tierFrom: 'policy' } })
  await losePlan()
  expect(await orgOf(world, ada)).toMatchObject({ plan: null, tier: 'enterprise', seats: 1 })
})

test('giving it the tier of its plan hands the tier to the plan again', async () => {
  await give('enterprise')
  await subscribe(world, ada, 'team')
  expect(await give('team')).toMatchObject({ policy: { tier: 'team', tierFrom: 'plan' } })
  await losePlan()
  expect(await orgOf(world, ada)).toMatchObject({ plan: null, tier: 'individual' })
})

test('a plan that comes to give the same tier does not take the decision away', async () => {
  await give('team')
  await subscribe(world, ada, 'team')
  await losePlan()
  expect(await orgOf(world, ada)).toMatchObject({ plan: null, tier: 'team' })
  expect(await give('individual')).toMatchObject({ policy: { tier: 'individual', tierFrom: 'plan' } })
})
