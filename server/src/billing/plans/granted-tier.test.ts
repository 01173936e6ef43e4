// A tier granted by staff stays when plans are bought or end.

import { expectInvariants, orgOf, postSubscription, subscribe } from '@cowrie/testkit/billing/subscription.ts'
import { useWorld } from '@cowrie/testkit/billing/world.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { beforeEach, expect, test } from 'vitest'
import { runRenewals } from '../renewals/renewals.ts'

const world = useWorld({ atEnd: expectInvariants })
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

test('an organisation with a granted tier keeps it when it buys a plan and when the plan ends', async () => {
  await give('enterprise')
  await subscribe(world, ada, 'team')
  expect(await orgOf(world, ada)).toMatchObject({ plan: 'team', tier: 'enterprise', seats: 5 })
  expect(await give('enterprise')).toMatchObject({ policy: { planTier: 'team', tierFrom: 'policy' } })
  await losePlan()
  expect(await orgOf(world, ada)).toMatchObject({ plan: null, tier: 'enterprise', seats: 1 })
})

test('granting the tier of the plan lets the plan decide again', async () => {
  await give('enterprise')
  await subscribe(world, ada, 'team')
  expect(await give('team')).toMatchObject({ policy: { tier: 'team', tierFrom: 'plan' } })
  await losePlan()
  expect(await orgOf(world, ada)).toMatchObject({ plan: null, tier: 'individual' })
})

test('a later plan with the same tier does not remove the grant', async () => {
  await give('team')
  await subscribe(world, ada, 'team')
  await losePlan()
  expect(await orgOf(world, ada)).toMatchObject({ plan: null, tier: 'team' })
  expect(await give('individual')).toMatchObject({ policy: { tier: 'individual', tierFrom: 'plan' } })
})
