import { createThread, readThread, type Thread, type ThreadDetail } from '@cowrie/testkit/chat/chat.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'

type Page = { threads: Thread[]; nextCursor: string | null }

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer({ schedules: ['chat.', 'wallet.', 'metering.'] })
  ada = await server.person({ type: 'team' })
})
afterAll(() => server.close())

const list = async (as: { bearer: string }, query: Record<string, string> = {}) =>
  (await server.call<Page>('GET', '/chat/threads', { as, query })).body
const change = (as: { bearer: string }, thread: Thread, body: object) =>
  server.call<Thread>('PATCH', `/chat/threads/${thread.id}`, { as, body })
const remove = (as: { bearer: string }, thread: Thread) =>
  server.call('DELETE', `/chat/threads/${thread.id}`, { as })

let count = 0
async function insertMessage(
  thread: Thread,
  { role = 'user', status = 'complete', content = `message ${count}` } = {},
) {
  const id = newId('msg')
  const at = new Date(server.clock.now().getTime() + ++count)
  await server.sql.rows`
    insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
    select ${id}, org_id, id, ${role}, ${content}, ${status}, ${at}, ${server.clock.now()} from chat_threads where id = ${thread.id}`
  return id
}

describe('a new thread', () => {
  test('is general and untitled by default', async () => {
    const { status, body } = await server.call('POST', '/chat/threads', { as: ada })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^thr_/),
      title: '',
      mode: 'general',
      archived: false,
      createdAt: '2026-11-15T09:00:00.000Z',
      updatedAt: '2026-11-15T09:00:00.000Z',
      busy: false,
    })
    expect(await createThread(server, ada, { mode: 'code', title: ' Payments ' })).toMatchObject({
      mode: 'code',
      title: 'Payments',
    })
  })

  test.for([{ mode: 'poem' }, { title: '' }, { title: 'two\nlines' }, { title: 'x'.repeat(201) }])(
    'is refused with %j',
    async (body) => {
      expect((await server.call('POST', '/chat/threads', { as: ada, body })).status).toBe(400)
    },
  )

  test('is refused to a user with 1000 threads, until one is deleted', async () => {
    const hoarder = await server.person()
    await server.sql.rows`
      insert into chat_threads (id, org_id, user_id, mode, created_at, updated_at)
      select 'thr_' || ${hoarder.userId} || n, ${hoarder.orgId}, ${hoarder.userId}, 'general', ${server.clock.now()}, ${server.clock.now()}
      from generate_series(1, 999) n`
    const last = await createThread(server, hoarder)
    expect(await server.call('POST', '/chat/threads', { as: hoarder })).toMatchObject({
      status: 409,
      body: { code: 'limit_reached' },
    })
    await remove(hoarder, last)
    expect((await server.call('POST', '/chat/threads', { as: hoarder })).status).toBe(201)
  })
})

describe('the list', () => {
  test('contains the threads of the user, newest first, page by page without gaps', async () => {
    const grace = await server.person()
    const made: string[] = []
    for (let i = 0; i < 5; i++) {
      made.unshift((await createThread(server, grace)).id)
      // Two pairs with equal timestamps, then the newest alone.
      if (i % 2 === 1) server.clock.advance({ seconds: 1 })
    }
    expect(new Set((await list(grace)).threads.map(({ id }) => id))).toEqual(new Set(made))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await list(grace, { limit: '2', ...(cursor !== null && { cursor }) })
      seen.push(...page.threads.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null && seen.length < 10)
    expect(seen).toEqual((await list(grace)).threads.map(({ id }) => id))
    expect(seen[0]).toBe(made[0])
    expect((await server.call('GET', '/chat/threads', { as: grace, query: { cursor: 'x' } })).status).toBe(
      400,
    )
  })

  test('separates archived threads', async () => {
    const grace = await server.person()
    const [kept, old] = [await createThread(server, grace), await createThread(server, grace)]
    expect((await change(grace, old, { archived: true })).body).toMatchObject({ archived: true })
    expect((await list(grace)).threads.map(({ id }) => id)).toEqual([kept.id])
    expect((await list(grace, { archived: 'true' })).threads.map(({ id }) => id)).toEqual([old.id])
    expect(await readThread(server, grace, old)).toMatchObject({ archived: true })
    await change(grace, old, { archived: false })
    expect((await list(grace)).threads).toHaveLength(2)
  })
})

describe('a thread', () => {
  test('changes only in the given fields', async () => {
    const thread = await createThread(server, ada)
    server.clock.advance({ seconds: 5 })
    expect((await change(ada, thread, { title: 'Named' })).body).toEqual({ ...thread, title: 'Named' })
    expect((await change(ada, thread, { mode: 'code' })).body).toMatchObject({ title: 'Named', mode: 'code' })
    expect((await change(ada, thread, {})).body).toMatchObject({ title: 'Named', mode: 'code' })
    expect((await change(ada, thread, { title: '' })).status).toBe(400)
  })

  test('shows its newest 200 messages in order, and older ones by cursor', async () => {
    const thread = await createThread(server, ada)
    await server.sql.rows`
      insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
      select 'msg_' || ${thread.id} || n, ${ada.orgId}, ${thread.id}, 'user', 'number ' || n, 'complete',
             ${server.clock.now()}::timestamptz + n * interval '1 ms', ${server.clock.now()} from generate_series(1, 250) n`
    const newest = await readThread(server, ada, thread)
    expect(newest.messages).toHaveLength(200)
    expect(newest.messages[0]?.content).toBe('number 51')
    expect(newest.messages.at(-1)?.content).toBe('number 250')
    const query = { cursor: newest.messagesCursor ?? '' }
    const { body } = await server.call<ThreadDetail>('GET', `/chat/threads/${thread.id}`, { as: ada, query })
    expect(body.messages).toHaveLength(50)
    expect(body.messages[0]?.content).toBe('number 1')
    expect(body.messagesCursor).toBeNull()
  })

  test('shows fewer long messages, but at least one', async () => {
    const thread = await createThread(server, ada)
    for (let i = 0; i < 4; i++) await insertMessage(thread, { content: `${i}`.repeat(2_500_000) })
    const { messages, messagesCursor } = await readThread(server, ada, thread)
    expect(messages.map(({ content }) => content[0])).toEqual(['2', '3'])
    expect(messagesCursor).not.toBeNull()
  })

  test('does not list a running answer, and is busy until its lease expires', async () => {
    const thread = await createThread(server, ada)
    await insertMessage(thread)
    await insertMessage(thread, { role: 'assistant', status: 'running', content: '' })
    expect(await readThread(server, ada, thread)).toMatchObject({ busy: true, messages: [{ role: 'user' }] })
    expect((await list(ada)).threads.find(({ id }) => id === thread.id)?.busy).toBe(true)
    server.clock.advance({ minutes: 3 })
    expect(await readThread(server, ada, thread)).toMatchObject({ busy: false, messages: [{ role: 'user' }] })
  })

  test('is deleted with its messages, but not while an answer runs', async () => {
    const thread = await createThread(server, ada)
    await insertMessage(thread, { role: 'assistant', status: 'running', content: '' })
    expect(await remove(ada, thread)).toMatchObject({ status: 409, body: { code: 'thread_busy' } })
    server.clock.advance({ minutes: 3 })
    expect(await remove(ada, thread)).toMatchObject({ status: 200, body: { ok: true } })
    expect((await remove(ada, thread)).status).toBe(404)
    expect(await server.sql.rows`select id from chat_messages where thread_id = ${thread.id}`).toEqual([])
  })

  test('is not found by other users, including administrators and staff', async () => {
    const thread = await createThread(server, ada)
    const path = `/chat/threads/${thread.id}`
    const strangers = [
      await server.member(ada.orgId, 'admin'),
      await server.member(ada.orgId, 'owner'),
      await server.person({ staff: 'super_admin' }),
    ]
    for (const as of strangers) {
      expect((await list(as)).threads).toEqual([])
      expect((await server.call('GET', path, { as })).status).toBe(404)
      expect((await change(as, thread, { title: 'Mine' })).status).toBe(404)
      expect((await server.call('POST', `${path}/messages`, { as, body: { prompt: 'hi' } })).status).toBe(404)
      expect((await server.call('POST', `${path}/quote`, { as, body: { prompt: 'hi' } })).status).toBe(404)
      expect((await server.call('POST', `${path}/stop`, { as, body: {} })).status).toBe(404)
      expect((await remove(as, thread)).status).toBe(404)
    }
    expect((await server.call('GET', '/chat/threads/thr_nothing', { as: ada })).status).toBe(404)
    expect(await readThread(server, ada, thread)).toMatchObject({ title: '' })
  })

  test('is accessible only to keys with the scope', async () => {
    const thread = await createThread(server, ada)
    expect(await readThread(server, await server.key(ada, ['agent:run']), thread)).toMatchObject({
      id: thread.id,
    })
    const key = await server.key(ada, ['wallet:read', 'keys:manage', 'metrics:read'])
    const path = `/chat/threads/${thread.id}/messages`
    expect(await server.call('POST', path, { as: key, body: { prompt: 'hi' } })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
  })
})

test('an answer whose process died fails when its lease expires, and its thread is no longer busy', async () => {
  const thread = await createThread(server, ada)
  await insertMessage(thread, { role: 'assistant', status: 'running', content: '' })
  server.clock.advance({ seconds: 15 })
  await server.app.jobs.drain()
  expect(await readThread(server, ada, thread)).toMatchObject({ busy: true, messages: [] })
  server.clock.advance({ seconds: 30 })
  await server.app.jobs.drain()
  expect(await readThread(server, ada, thread)).toMatchObject({
    busy: false,
    messages: [{ status: 'failed', errorCode: 'interrupted', costMinor: 0n }],
  })
})
