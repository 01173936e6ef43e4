// Running work when an organisation is suspended, over real sockets and with a model that can be delayed. The tests of the
// loop cover loops.

import {
  answer,
  change,
  type LoopTestServer,
  readBooks,
  SHELL,
  slowAnswer,
  startLoopServer,
} from '@cowrie/testkit/agent/loop.ts'
import { openChatStream, type Thread } from '@cowrie/testkit/chat/chat.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { toJson } from '../../kernel/json.ts'

let loops: LoopTestServer
let compliance: Person
let ada: Person
beforeAll(async () => {
  loops = await startLoopServer()
  compliance = await loops.server.person({ staff: 'compliance' })
})
afterAll(() => loops.close())
beforeEach(async () => {
  loops.upstream.reset()
  ada = await loops.customer()
})

const POOR = change('word.txt', 'bad', 'poor')
const suspend = async () => {
  const path = `/admin/orgs/${ada.orgId}/suspend`
  expect((await loops.server.call('POST', path, { as: compliance })).status).toBe(200)
}
const post = (path: string, body: object, as: { bearer: string } = ada) =>
  fetch(`${loops.address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.bearer}`, 'content-type': 'application/json' },
    body: toJson(body),
  })
const books = () => readBooks(loops.server, ada.orgId)

test('a run returns its result without a repair turn', async () => {
  const wait = gate()
  const missed = change('missing.txt', 'never there', 'poor')
  loops.upstream.script(slowAnswer(wait.opened, change('word.txt', 'bad', 'good'), missed), answer(POOR))
  const running = post('/agent/run', { prompt: SHELL.prompt, context: SHELL.context })
  await expect.poll(() => loops.upstream.open).toBe(1)
  await suspend()
  wait.open()
  const reply = await running
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({ warnings: expect.arrayContaining(['repair_failed']) })
  expect(loops.upstream.requests).toHaveLength(1)
  expect(await books()).toMatchObject({ held: 0n, count: 1n })
})

test('a running answer is finished and charged, and the next question is refused', async () => {
  const { body: thread } = await loops.server.call<Thread>('POST', '/chat/threads', { as: ada, body: {} })
  const wait = gate()
  loops.upstream.script({ pieces: ['Hello ', wait.opened, 'Ada.'] })
  const talking = await openChatStream(loops.address, ada, thread, { prompt: 'Hi' })
  await expect.poll(() => talking.frames.length).toBeGreaterThan(0)
  await suspend()
  wait.open()
  expect(await talking.ended).toMatchObject({ message: { content: 'Hello Ada.', status: 'complete' } })
  expect(await books()).toMatchObject({ held: 0n, count: 1n })
  const next = await post(`/chat/threads/${thread.id}/messages`, { prompt: 'More' })
  expect([next.status, await next.json()]).toMatchObject([403, { code: 'org_suspended' }])
})

test('a stream of the OpenAI-compatible API is finished and charged, and the next call is refused', async () => {
  const key = await loops.server.key(ada, ['agent:run'])
  const ask = () =>
    post(
      '/v1/chat/completions',
      { model: 'open', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
      key,
    )
  const wait = gate()
  loops.upstream.script({ pieces: ['Hello ', wait.opened, 'Ada.'] })
  const streaming = await ask()
  await suspend()
  wait.open()
  const text = await streaming.text()
  expect(text).toContain('Ada.')
  expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
  await expect.poll(books).toMatchObject({ held: 0n, count: 1n })
  expect((await ask()).status).toBe(403)
  expect(loops.upstream.requests).toHaveLength(1)
})
