import { connect } from 'node:net'
import { createThread, readThread } from '@cowrie/testkit/chat/chat.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let upstream: FakeUpstream
let server: TestServer
let ada: Person
beforeAll(async () => {
  upstream = await startFakeUpstream()
  server = await startTestServer({
    variables: { SERVICE_UPSTREAM_BASE_URL: upstream.url, SERVICE_UPSTREAM_OPEN_MODEL: 'small-1' },
  })
  ada = await server.person()
  await giveCredit(server, ada.orgId, 100_000n)
})
afterAll(async () => {
  await server.close()
  await upstream.close()
})

test('a disconnect before the stream starts also stops the answer', async () => {
  const base = new URL(await server.listen())
  const thread = await createThread(server, ada)
  upstream.fallback(() => 'word '.repeat(3000))
  const locked = gate()
  const freed = gate()
  const holding = server.app.db.tx('platform', async (tx) => {
    await tx.rows`select id from chat_threads where id = ${thread.id} for update`
    locked.open()
    await freed.opened
  })
  await locked.opened
  const body = '{"prompt":"x"}'
  const socket = connect(Number(base.port), '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(
    `POST /chat/threads/${thread.id}/messages HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${ada.bearer}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  const waiting = () => server.sql.rows`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(waiting).toHaveLength(1)
  socket.resetAndDestroy()
  const open = () =>
    new Promise<number>((resolve) => server.service.engine.http.server.getConnections((_, n) => resolve(n)))
  await expect.poll(open).toBe(0)
  freed.open()
  await holding
  await expect
    .poll(async () => (await readThread(server, ada, thread)).messages.at(-1)?.status, { timeout: 15_000 })
    .toBe('stopped')
})
