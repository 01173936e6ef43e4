import { createThread, readThread, type Thread } from '@cowrie/testkit/chat/chat.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../kernel/ids.ts'
import { postToThread, requireThread, type ThreadId, type ThreadOwner } from './chat.ts'

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person({ type: 'team' })
})
afterAll(() => server.close())

const POST = { question: 'Were shells money?', content: 'They were [1].' } as const
const idOf = ({ id }: Thread) => id as ThreadId
const post = (thread: Thread, owner: ThreadOwner = ada, content: string = POST.content) =>
  server.app.db.tx(ada.orgId, (tx) => postToThread(tx, owner, idOf(thread), { ...POST, content }))
const require = (thread: Thread, owner: ThreadOwner) =>
  server.app.db.tx(ada.orgId, (tx) => requireThread(tx, owner, idOf(thread)))

const say = (thread: Thread, status: string, messages = 1) => server.sql.rows`
  insert into chat_messages (id, org_id, thread_id, role, content, status, created_at, beat_at)
  select ${newId('msg')} || n, org_id, id, 'assistant', '', ${status}, ${server.clock.now()}, ${server.clock.now()}
  from chat_threads, generate_series(1, ${messages}::int) n where id = ${thread.id}`

test('a posted question and its answer are appended in order, free of charge', async () => {
  const thread = await createThread(server, ada)
  expect(await post(thread)).toBe(true)
  expect(await post(thread, ada, 'A second answer.')).toBe(true)
  const { messages, title, busy } = await readThread(server, ada, thread)
  expect([title, busy]).toEqual(['Were shells money?', false])
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', POST.question],
    ['assistant', POST.content],
    ['user', POST.question],
    ['assistant', 'A second answer.'],
  ])
  expect(messages[1]).toMatchObject({ status: 'complete', lane: null, model: null, costMinor: 0n })
  expect(messages[0]).toMatchObject({ status: 'complete', lane: null, model: null })
})

test('posting is refused while an answer runs, until its lease expires', async () => {
  const thread = await createThread(server, ada)
  await say(thread, 'running')
  expect(await post(thread)).toBe(false)
  expect((await readThread(server, ada, thread)).messages).toEqual([])
  server.clock.advance({ minutes: 3 })
  expect(await post(thread)).toBe(true)
})

test('posting to a full or deleted thread is refused', async () => {
  const [full, gone] = [await createThread(server, ada), await createThread(server, ada)]
  await say(full, 'complete', 1_999)
  expect(await post(full)).toBe(false)
  await server.call('DELETE', `/chat/threads/${gone.id}`, { as: ada })
  expect(await post(gone)).toBe(false)
})

test('only the owner can use a thread', async () => {
  const thread = await createThread(server, ada)
  await require(thread, ada)
  const admin = await server.member(ada.orgId, 'admin')
  await expect(require(thread, admin)).rejects.toMatchObject({ code: 'not_found' })
  expect(await post(thread, admin)).toBe(false)
  expect((await readThread(server, ada, thread)).messages).toEqual([])
})
