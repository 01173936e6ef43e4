import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/harness.ts'
import { enqueue } from '../platform/jobs/jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('content that was told to move is moved, whoever told it', async () => {
  const { orgId, ...person } = await server.person()
  const { content, db, jobs } = server.app
  await server.call('POST', '/chat/threads', { as: person, body: { title: 'Before' } })
  await content.prepare(orgId, 'schema')
  await db.tx(orgId, (tx) => content.begin(tx, orgId, 'schema'))

  await db.tx('platform', (tx) => enqueue(tx, 'governance.moveContent', {}))
  await jobs.drain()

  expect(await content.unfinished(10)).toEqual([])
  expect(await db.tx(orgId, (tx) => content.homeOf(tx, orgId))).toEqual({
    isolation: 'schema',
    status: 'settled',
  })
  const { body } = await server.call<{ threads: { title: string }[] }>('GET', '/chat/threads', { as: person })
  expect(body.threads.map(({ title }) => title)).toEqual(['Before'])
})
