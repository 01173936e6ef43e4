// The content of a large organisation moves to a separate schema while its members work on two replicas.

import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { countRows, digestContent, seedContent } from '@cowrie/testkit/platform/content-fixtures.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { after } from '../src/kernel/clock.ts'
import { type Caller, startTraffic } from './isolation-traffic.ts'

const ROWS = rounds(6_000, 20_000)
const PEOPLE = 4

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

const callerOf =
  (server: TestServer, as: Person): Caller =>
  (method, path, body) =>
    server.call(method, path, { as, ...(body && { body }) })

test(`an organisation with ${ROWS} rows moves while its members work: no call fails, and no write is lost or doubled`, async () => {
  const owner = await first.person({ type: 'team' })
  const others = await first.person()
  const { orgId } = owner
  await giveCredit(first, orgId, 1_000_000_00n)
  await seedContent(first.sql, orgId, 'usr_of_old', ROWS)
  await seedContent(first.sql, others.orgId, others.userId, 1_000)
  const theirs = await digestContent(first.sql, 'public', others.orgId)
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => first.member(orgId, 'member')))

  const traffic = startTraffic(people.map((person, n) => callerOf(n % 2 === 0 ? first : second, person)))
  await first.app.content.prepare(orgId, 'schema')
  await first.app.db.tx(orgId, (tx) => first.app.content.startMove(tx, orgId, 'schema'))
  const from = performance.now()
  expect(await first.app.content.resumeMove(orgId, after(first.clock.now(), { minutes: 1 }))).toBe(true)
  const tookMs = performance.now() - from
  const { observed: told, calls, failures, slowest } = await traffic.stop()

  process.stderr.write(
    `${ROWS} rows moved in ${Math.round(tookMs)} ms during ${calls} calls; the slowest took ${slowest.ms} ms\n`,
  )
  expect(failures).toEqual([])
  expect(calls).toBeGreaterThan(PEOPLE * 4)
  const threads = await first.app.db.tx(
    orgId,
    (tx) => tx.content.rows<{ id: string; title: string; messages: number }>`
      select t.id, t.title, (select count(*)::int from chat_messages m where m.thread_id = t.id) as messages
      from chat_threads t where user_id <> 'usr_of_old'`,
  )
  expect(new Map(threads.map(({ id, ...rest }) => [id, rest]))).toEqual(told.threads)
  expect(threads.filter(({ id }) => told.deleted.has(id))).toEqual([])
  const arrived = await digestContent(first.sql, orgId, orgId)
  expect(arrived.agent_runs?.rows).toBe(ROWS / 10)
  expect(arrived.chat_threads?.rows).toBe(ROWS / 10 + told.threads.size)
  expect(countRows(await digestContent(first.sql, 'public', orgId))).toBe(0)
  expect(await digestContent(first.sql, 'public', others.orgId)).toEqual(theirs)
})
