import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueue, type JobAttempt } from '../platform/jobs/jobs.ts'
import { moveContentJob } from './content-moves.ts'

const work: JobAttempt = {
  ...{ id: 'job_1', payload: {}, attempt: 1, org: null, fence: 1n },
  signal: new AbortController().signal,
}

let server: TestServer
beforeAll(async () => {
  // No dedicated database is reachable.
  const variables = { SERVICE_DEDICATED_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/{org}' }
  server = await startTestServer({ variables })
})
afterAll(() => server.close())

test('the job finishes a started move', async () => {
  const { orgId, ...person } = await server.person()
  const { content, db, jobs } = server.app
  await server.call('POST', '/chat/threads', { as: person, body: { title: 'Before' } })
  await content.prepare(orgId, 'schema')
  await db.tx(orgId, (tx) => content.startMove(tx, orgId, 'schema'))

  await db.tx('platform', (tx) => enqueue(tx, 'governance.moveContent', {}))
  await jobs.drain()

  expect(await content.unfinishedMoves(10)).toEqual([])
  expect(await db.tx(orgId, (tx) => content.placementOf(tx, orgId))).toEqual({
    isolation: 'schema',
    status: 'settled',
  })
  const { body } = await server.call<{ threads: { title: string }[] }>('GET', '/chat/threads', { as: person })
  expect(body.threads.map(({ title }) => title)).toEqual(['Before'])
})

test('failing moves do not delay others', async () => {
  const { content, db } = server.app
  const stuck = await Promise.all(Array.from({ length: 4 }, () => server.person()))
  for (const { orgId } of stuck) await db.tx(orgId, (tx) => content.startMove(tx, orgId, 'dedicated'))
  server.clock.advance({ seconds: 1 })
  const { orgId } = await server.person()
  await content.prepare(orgId, 'schema')
  await db.tx(orgId, (tx) => content.startMove(tx, orgId, 'schema'))
  for (let run = 0; run < 2; run++) {
    server.clock.advance({ seconds: 30 })
    await moveContentJob.run(server.app, work)
  }
  expect((await db.tx(orgId, (tx) => content.placementOf(tx, orgId))).status).toBe('settled')
  expect(await content.unfinishedMoves(10)).toHaveLength(4)
})

test('a move of another process is skipped, and a process runs the job once at a time', async () => {
  const { content, db } = server.app
  const { orgId } = await server.person()
  const [entered, leave] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const inside = db.tx(orgId, async (tx) => {
    // Blocked until the end of this test.
    await tx.rows`select set_config('idle_in_transaction_session_timeout', '0', true)`
    await tx.content.rows`select id from chat_threads`
    entered.resolve()
    await leave.promise
  })
  await entered.promise
  await content.prepare(orgId, 'schema')
  await db.tx(orgId, (tx) => content.startMove(tx, orgId, 'schema'))
  // No move has an attempt at this instant yet.
  server.clock.advance({ seconds: 1 })
  const first = moveContentJob.run(server.app, work)
  const lastTry = async () =>
    (await server.sql.one<{ at: Date }>`select max(tried_at) as at from content_places`).at
  await expect.poll(lastTry, { timeout: 15_000 }).toEqual(server.clock.now())

  server.clock.advance({ seconds: 30 })
  await moveContentJob.run(server.app, work)
  expect(await lastTry()).not.toEqual(server.clock.now())
  const another = { ...server.app }
  await moveContentJob.run(another, work)
  expect(await lastTry(), 'others are tried').toEqual(server.clock.now())
  server.clock.advance({ seconds: 1 })
  expect(await content.unfinishedMoves(1)).toEqual([orgId])
  await moveContentJob.run(another, work)
  expect((await db.tx(orgId, (tx) => content.placementOf(tx, orgId))).status).toBe('moving')
  leave.resolve()
  await Promise.all([inside, first])
  expect((await db.tx(orgId, (tx) => content.placementOf(tx, orgId))).status).toBe('settled')
  expect(moveContentJob.slow).toBe(true)
})
