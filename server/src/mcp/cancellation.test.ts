// Calls that are interrupted by a shutdown or a disconnect.

import {
  type AgentTestServer,
  createFundedPerson,
  fixingAnswer,
  listDebits,
  listRunRows,
  TASK,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import { type FakeRequest, gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer } from '@cowrie/testkit/harness/harness.ts'
import { startMcpServer } from '@cowrie/testkit/mcp/clients.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

/** A long timeout for `expect.poll` on busy machines. */
const LONG_POLL = { timeout: 30_000 }
const RUN = { ...TASK, maxCostMinor: 100_000 }

let stage: AgentTestServer
let ada: Person
let key: { bearer: string }
beforeAll(async () => {
  stage = await startMcpServer()
})
beforeEach(async () => {
  stage.upstream.reset()
  ada = await createFundedPerson(stage.server, 1_000_000n)
  key = await stage.server.key(ada, ['agent:run'])
})
afterAll(() => stage.close())

const fixingAfter = (wait: Promise<void>) => (request: FakeRequest) => ({
  pieces: [wait, fixingAnswer()(request).text ?? ''],
  usage: USAGE,
})
const callOf = (id: number | string, given: object) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'run_agent', arguments: given },
})
const post = (address: string, body: unknown, signal?: AbortSignal) =>
  fetch(`${address}/mcp`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${key.bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    ...(signal && { signal }),
  })

test('a call interrupted by a shutdown reports its key; a retry with it is charged once', async () => {
  const held = gate()
  stage.upstream.script(fixingAfter(held.opened))
  const leaving = await startTestServer({
    ...{ url: stage.server.url, clock: stage.server.clock },
    variables: { SERVICE_UPSTREAM_BASE_URL: stage.upstream.url, SERVICE_UPSTREAM_OPEN_MODEL: 'small-1' },
  })
  const answer = await post(await leaving.listen(), callOf('a-7', RUN))
  await expect.poll(() => stage.upstream.requests.length, LONG_POLL).toBe(1)
  const closing = leaving.close()
  const frames = (await answer.text()).split('\n\n').filter((frame) => frame.startsWith('data: '))
  const last = JSON.parse(String(frames.at(-1)?.slice('data: '.length)))
  expect(last).toEqual({
    jsonrpc: '2.0',
    id: 'a-7',
    error: {
      code: -32000,
      message: expect.stringContaining('The service is restarting'),
      data: { code: 'restarting', idempotencyKey: expect.stringMatching(/^mcp-/) },
    },
  })
  held.open()
  await closing

  const { idempotencyKey } = last.error.data
  const again = await stage.server.call<{ result: { structuredContent: object } }>('POST', '/mcp', {
    as: key,
    body: callOf(1, { ...RUN, idempotencyKey }),
  })
  expect(again.body.result.structuredContent).toMatchObject({ replayed: true, edits: [{}] })
  expect(await listDebits(stage, ada)).toHaveLength(1)
})

test('calls of a batch do not start after a disconnect', async () => {
  const held = gate()
  stage.upstream.script(fixingAfter(held.opened))
  stage.upstream.fallback(fixingAnswer({ usage: USAGE }))
  const leave = new AbortController()
  const asked = post(
    await stage.server.listen(),
    [1, 2, 3].map((id) => callOf(id, RUN)),
    leave.signal,
  )
  await expect.poll(() => stage.upstream.requests.length, LONG_POLL).toBe(1)
  leave.abort()
  await expect(asked).rejects.toThrow()
  const isDetached = async () =>
    (
      await stage.server.sql
        .rows`select id from idempotency_keys where user_id = ${ada.userId} and detached_at is not null`
    ).length === 1
  await expect.poll(isDetached, LONG_POLL).toBe(true)
  held.open()
  await expect.poll(() => listRunRows(stage, ada), LONG_POLL).toMatchObject([{ status: 'completed' }])
  expect(stage.upstream.requests).toHaveLength(1)
  expect(await listDebits(stage, ada)).toHaveLength(1)
})
