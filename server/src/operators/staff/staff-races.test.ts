import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROUNDS = rounds(6, 30)
/** Many rounds, each with new staff. */
const PATIENT = { timeout: 240_000 }

let server: TestServer
let replica: TestServer
beforeAll(async () => {
  server = await startTestServer()
  replica = await startTestServer({ url: server.url, clock: server.clock })
})
afterAll(async () => {
  await replica.close()
  await server.close()
})

const demote = (on: TestServer, as: Person, target: Person) =>
  on.call('PUT', `/admin/operators/${target.userId}/role`, { as, body: { role: 'support' } })
const remove = (on: TestServer, as: Person, target: Person) =>
  on.call('DELETE', `/admin/operators/${target.userId}`, { as })
const superAdmins = () =>
  server.sql.rows<{ user_id: string }>`select user_id from staff where role = 'super_admin'`

async function freshStaff(others: number): Promise<[Person, Person]> {
  await server.sql.rows`delete from staff`
  const pair: [Person, Person] = [
    await server.person({ staff: 'super_admin' }),
    await server.person({ staff: 'super_admin' }),
  ]
  for (let i = 0; i < others; i++) await server.person({ staff: 'super_admin' })
  return pair
}

test.for([
  ['demote', demote],
  ['remove', remove],
] as const)(
  'when two super admins %s each other concurrently on two replicas, one stays',
  PATIENT,
  async ([, act]) => {
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = await freshStaff(0)
      const replies = await Promise.all([act(server, a, b), act(replica, b, a)])
      expect(replies.map(({ status }) => status).sort(), `round ${round}`).toEqual([200, 403])
      expect(await superAdmins()).toHaveLength(1)
    }
  },
)

test.for([
  ['down', demote],
  ['out', remove],
] as const)(
  'when two super admins step %s concurrently on two replicas, one stays',
  PATIENT,
  async ([, act]) => {
    for (let round = 0; round < ROUNDS; round++) {
      const [a, b] = await freshStaff(0)
      const replies = await Promise.all([act(server, a, a), act(replica, b, b)])
      expect(replies.map(({ status }) => status).sort(), `round ${round}`).toEqual([200, 409])
      expect(await superAdmins()).toHaveLength(1)
    }
  },
)

test('a demoted super admin can no longer demote, even if others remain', PATIENT, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b] = await freshStaff(1)
    const replies = await Promise.all([demote(server, a, b), demote(replica, b, a)])
    expect(replies.map(({ status }) => status).sort(), `round ${round}`).toEqual([200, 403])
    expect(await superAdmins()).toHaveLength(2)
  }
})

test('concurrent identical grants add one row and one audit entry', async () => {
  const [chief] = await freshStaff(0)
  const person = await server.person()
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? server : replica).call('POST', '/admin/operators', {
        as: chief,
        body: { email: person.email },
      }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(replies.filter(({ body }) => body.changed)).toHaveLength(1)
  const entries = await server.sql.rows`
    select id from audit_entries where action = 'operators.grant' and target = ${person.userId}`
  expect(entries).toHaveLength(1)
})
