import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit, holdSome, spend } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import { release, reserve } from '../wallet.ts'

let server: TestServer
let team: Person
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  team = await server.person({ type: 'team' })
  await giveCredit(server, team.orgId, 10_000n)
})

type Member = { orgId: OrgId; userId: UserId }
let count = 0

const cap = ({ orgId, userId }: Member, minor: bigint | null) =>
  server.sql
    .rows`update memberships set seat_cap_minor = ${minor} where org_id = ${orgId} and user_id = ${userId}`

const tryReserve = ({ orgId, userId }: Member, amountMinor: bigint) =>
  reserve(server.app, {
    orgId,
    userId,
    ref: `work ${++count}`,
    source: 'agent',
    amountMinor,
    terms: {},
    deadline: new Date(server.clock.now().getTime() + 60_000),
  })

/** The amount that a member can still reserve, from the refusal of a huge one. */
async function remaining(member: Member): Promise<bigint> {
  const refused = await tryReserve(member, 1_000_000n)
  if (refused.ok) throw new Error('the reservation was expected to be refused')
  return refused.availableMinor
}

describe('the rest of a cap', () => {
  test('excludes spent and held money, but not released money', async () => {
    await cap(team, 1000n)
    await spend(server, team, 300n, 500n)
    await spend(server, team, 100n)
    const holdId = await holdSome(server, team, 200n)
    expect(await remaining(team)).toBe(400n)
    await release(server.app, { orgId: team.orgId, holdId })
    expect(await remaining(team)).toBe(600n)
  })

  test('counts money that was spent and held before the cap was set', async () => {
    await spend(server, team, 300n)
    await holdSome(server, team, 100n)
    await holdSome(server, team, 200n)
    await cap(team, 1000n)
    expect(await remaining(team)).toBe(400n)
  })

  test('is 0, not negative, after a cap is set below the spent amount', async () => {
    await spend(server, team, 300n)
    await cap(team, 100n)
    expect(await tryReserve(team, 1n)).toMatchObject({ ok: false, reason: 'cap_reached', availableMinor: 0n })
  })

  test('starts again each month, in UTC', async () => {
    await cap(team, 1000n)
    const monthEnd = new Date('2026-11-30T23:30:00Z').getTime()
    server.clock.advance({ ms: monthEnd - server.clock.now().getTime() })
    await spend(server, team, 300n)
    expect(await remaining(team)).toBe(700n)
    server.clock.advance({ hours: 1 })
    expect(await remaining(team)).toBe(1000n)
    await spend(server, team, 100n)
    expect(await remaining(team)).toBe(900n)
  })

  test('is separate for each member', async () => {
    const member = await server.member(team.orgId, 'member')
    await cap(team, 400n)
    await cap(member, 100n)
    await spend(server, team, 300n)
    expect(await remaining(team)).toBe(100n)
    expect(await remaining(member)).toBe(100n)
  })

  test('applies to one organisation only', async () => {
    const member = await server.member(team.orgId, 'member')
    const elsewhere = await server.person({ type: 'team' })
    await giveCredit(server, elsewhere.orgId, 5000n)
    await server.sql.rows`
      insert into memberships (org_id, user_id, role, created_at)
      values (${elsewhere.orgId}, ${member.userId}, 'member', ${server.clock.now()})`
    await cap({ orgId: team.orgId, userId: member.userId }, 100n)
    expect(await remaining({ orgId: elsewhere.orgId, userId: member.userId })).toBe(5000n)
    await cap({ orgId: team.orgId, userId: member.userId }, null)
    await cap({ orgId: elsewhere.orgId, userId: member.userId }, 100n)
    expect(await remaining({ orgId: team.orgId, userId: member.userId })).toBe(10_000n)
  })
})

test('a refusal names the lower limit: the cap or the wallet', async () => {
  await cap(team, 10_001n)
  expect(await tryReserve(team, 20_000n)).toMatchObject({ reason: 'insufficient', availableMinor: 10_000n })
  await cap(team, 9_999n)
  expect(await tryReserve(team, 20_000n)).toMatchObject({ reason: 'cap_reached', availableMinor: 9_999n })
  expect(await tryReserve(team, 10_000n)).toMatchObject({ reason: 'cap_reached', availableMinor: 9_999n })
})
