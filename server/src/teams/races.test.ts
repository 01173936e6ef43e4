import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  add,
  edit,
  join,
  mailsTo,
  openTeam,
  remove,
  roles,
  type Team,
  visitorIn,
} from '@cowrie/testkit/sign-in/team.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockUser } from '../identity/identity.ts'
import { newId } from '../kernel/ids.ts'

const ROUNDS = rounds(5, 25)
const CROWDED_ROUNDS = rounds(2, 5)
/** Many rounds, each with one or two new teams. */
const PATIENT = { timeout: 240_000 }

let first: TestServer
let second: TestServer
beforeAll(async () => {
  first = await startTestServer()
  second = await startTestServer({ url: first.url, clock: first.clock })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const ownersOf = async ({ orgId }: Team): Promise<number> =>
  Object.values(await roles(first, orgId)).filter((role) => role === 'owner').length

async function openTeamOfTwoOwners(): Promise<Team & { other: Person }> {
  const team = await openTeam(first)
  const other = await first.person()
  await join(first, team.orgId, other, 'owner')
  return { ...team, other }
}

test('when two owners remove each other concurrently on two replicas, one stays', PATIENT, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const team = await openTeamOfTwoOwners()
    const replies = await Promise.all([
      remove(first, team.owner, team.orgId, team.other.userId),
      remove(second, team.other, team.orgId, team.owner.userId),
    ])
    expect(await ownersOf(team)).toBe(1)
    // The second caller is no longer in the team when it gets the lock.
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
  }
})

test('when two owners leave or step down concurrently on two replicas, one stays', PATIENT, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const team = await openTeamOfTwoOwners()
    const stepDown = () => edit(second, team.other, team.orgId, team.other.userId, { role: 'member' })
    const replies = await Promise.all([
      first.call('POST', `/teams/${team.orgId}/leave`, { as: team.owner }),
      round % 2 ? stepDown() : second.call('POST', `/teams/${team.orgId}/leave`, { as: team.other }),
    ])
    expect(await ownersOf(team)).toBe(1)
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})

test('concurrent additions take the last seat once', PATIENT, async () => {
  for (let round = 0; round < CROWDED_ROUNDS; round++) {
    const team = await openTeam(first, { seats: 5 })
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        add(i % 2 ? first : second, i % 3 ? team.owner : team.admin, team.orgId, {
          email: `${newId('usr')}@example.com`,
          role: 'member',
        }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 402, 402, 402, 402, 402, 402])
    expect(Object.keys(await roles(first, team.orgId))).toHaveLength(5)
  }
})

test('concurrent additions of one address create one account, one member and one mail', PATIENT, async () => {
  for (let round = 0; round < CROWDED_ROUNDS; round++) {
    const team = await openTeam(first)
    const email = `${newId('usr')}@example.com`
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        add(i % 2 ? first : second, team.owner, team.orgId, { email, role: 'member' }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
    expect(await mailsTo(first, email)).toHaveLength(1)
  }
})

test('a new address that two teams add concurrently gets one account', PATIENT, async () => {
  for (let round = 0; round < CROWDED_ROUNDS; round++) {
    const [one, two] = [await openTeam(first), await openTeam(first)]
    const email = `${newId('usr')}@example.com`
    const replies = await Promise.all([
      add(first, one.owner, one.orgId, { email, role: 'member' }),
      add(second, two.owner, two.orgId, { email, role: 'admin' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(replies[0]?.body.member.userId).toBe(replies[1]?.body.member.userId)
  }
})

test(
  'a user removed concurrently from their only two teams gets one personal organisation',
  PATIENT,
  async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, two] = [await openTeam(first), await openTeam(first)]
      const email = `${newId('usr')}@example.com`
      const { member } = (await add(first, one.owner, one.orgId, { email, role: 'member' })).body
      await add(first, two.owner, two.orgId, { email, role: 'member' })
      const replies = await Promise.all([
        remove(first, one.owner, one.orgId, member.userId),
        remove(second, two.owner, two.orgId, member.userId),
      ])
      expect(replies.map(({ status }) => status)).toEqual([200, 200])
      const homes = await first.sql.rows`select org_id from memberships where user_id = ${member.userId}`
      expect(homes).toHaveLength(1)
    }
  },
)

test('adding a member locks the account before its sessions', async () => {
  const team = await openTeam(first)
  const { member } = team
  const visitor = await visitorIn(first, team.orgId, member)
  await remove(first, team.owner, team.orgId, member.userId)
  // Simulates a session that was opened during the removal.
  await first.sql.rows`update sessions set revoked_at = null where user_id = ${member.userId}`
  await first.sql.rows`update users set verified_at = null where id = ${member.userId}`
  const added: ReturnType<typeof add>[] = []
  await first.app.db.tx('platform', async (tx) => {
    await lockUser(tx, member.userId)
    added.push(add(second, team.owner, team.orgId, { email: member.email, role: 'member' }))
    await expect
      .poll(
        () =>
          first.sql.rows`
            select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      .toHaveLength(1)
    const free = await first.sql.rows`
      select id from sessions where user_id = ${member.userId} for update skip locked`
    expect(free).toHaveLength(1)
  })
  expect((await added[0])?.status).toBe(200)
  expect((await visitor.call('GET', '/me')).status).toBe(401)
})
