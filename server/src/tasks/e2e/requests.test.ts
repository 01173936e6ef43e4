// Requests to tasks: wrong input is refused precisely, encoded bodies are read, and repeated requests change nothing.
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { Person, TestRequest } from '@cowrie/testkit/harness/harness.ts'
import { BAD_REQUESTS } from '@cowrie/testkit/tasks/bad-requests.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ERRORS } from '../../kernel/errors.ts'

const CLIENT = { kind: 'client', name: 'my-laptop' }
const MIB = 1024 * 1024

let world: TaskWorld
let ada: Person
/** A task with a finished turn, one that waits for a tool of the caller, and one that waits for an approval. */
let ids: Readonly<Record<'FILES' | 'CLIENT' | 'APPROVAL' | 'TURN' | 'OTHER_TURN' | 'CALL', string>>

beforeAll(async () => {
  const sandbox = { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' }
  world = await startTaskWorld({ variables: sandbox })
  ada = await world.customer()
  const files = await world.create(ada, { 'a.txt': 'one\n', 'src/b.txt': 'two\n' })
  const turn = await world.turn(ada, files)
  world.upstream.fallback(byStep(calls(['list', {}]), 'Done.'))
  const client = await world.create(ada, CLIENT)
  const other = await world.turn(ada, client)
  const workflow = { path: '.github/workflows/ci.yml', content: 'on: push\n' }
  world.upstream.fallback(byStep(calls(['create', workflow]), 'Done.'))
  const approval = await world.create(ada, { 'a.txt': 'one\n' })
  await world.turn(ada, approval)
  const [need] = (await world.read(ada, client)).needs
  ids = {
    FILES: files,
    CLIENT: client,
    APPROVAL: approval,
    TURN: turn.id,
    OTHER_TURN: other.id,
    CALL: need?.callId ?? '',
  }
})
afterAll(() => world.close())
beforeEach(() => world.upstream.reset())

const withIds = (text: string): string =>
  text.replace(/\b(FILES|CLIENT|APPROVAL|OTHER_TURN|TURN|CALL)\b/g, (name) => ids[name as keyof typeof ids])

let sent = 0
const send = (method: string, path: string, body?: unknown, request: TestRequest = {}) =>
  world.server.call<Record<string, unknown> & { code?: string; fields?: { path: string }[] }>(
    method,
    `/tasks${withIds(path)}`,
    {
      as: ada,
      headers: { 'idempotency-key': `request-${++sent}` },
      ...(body !== undefined && { raw: withIds(typeof body === 'string' ? body : JSON.stringify(body)) }),
      ...request,
    },
  )

describe('wrong input is refused and changes nothing', () => {
  const stateOf = () => world.server.sql.rows`
    select t.id, t.title, t.budget_minor, t.open_turn_id, t.turns, t.changes, (select count(*) from task_steps) as steps,
           (select count(*) from stream_events) as events
    from tasks t order by id`

  test.for(Object.entries(BAD_REQUESTS))('%s', async ([address, requests]) => {
    const before = await stateOf()
    const [method = '', path = ''] = address.split(' ')
    for (const [what, body, code, field] of requests) {
      const reply = await send(method, path.replace('/tasks', ''), body)
      expect([what, reply.status, reply.body.code]).toEqual([what, ERRORS[code].status, code])
      const fields = reply.body.fields?.map((each) => each.path) ?? []
      if (field !== undefined) expect(fields, what).toContainEqual(expect.stringContaining(field))
    }
    expect(await stateOf()).toEqual(before)
    expect(world.server.logged.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
  })

  test('a turn without an Idempotency-Key is refused', async () => {
    const refused = await send('POST', '/FILES/turns', { prompt: 'x' }, { headers: {} })
    expect(refused).toMatchObject({ status: 400, body: { code: 'idempotency_key_required' } })
  })

  test('a budget of 0 is kept, and no turn starts', async () => {
    const { status, body } = await send('POST', '', { workspace: CLIENT, budgetMinor: 0 })
    expect([status, body.budgetMinor]).toEqual([201, 0n])
    const turn = await send('POST', `/${String(body.id)}/turns`, { prompt: 'x' })
    expect(turn).toMatchObject({ status: 402, body: { code: 'budget_too_low', maxMinor: 0n } })
  })
})

describe('an encoded body', () => {
  const encodings = [
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ] as const
  const post = (path: string, raw: Buffer, encoding: string) =>
    send('POST', path, undefined, {
      raw,
      headers: { 'content-encoding': encoding, 'idempotency-key': `encoded-${++sent}` },
    })
  const json = (body: object): Buffer => Buffer.from(withIds(JSON.stringify(body)))

  test.for(encodings)('in %s creates a task, starts a turn and answers a call', async ([name, encode]) => {
    world.upstream.fallback(byStep(calls(['list', {}]), 'Done.'))
    const created = await post('', encode(json({ workspace: CLIENT })), name)
    expect(created.status).toBe(201)
    const task = String(created.body.id)
    const started = await post(`/${task}/turns`, encode(json({ prompt: 'List the files.' })), name)
    expect(started.status).toBe(202)
    await world.perform()
    // Commands may print what the database cannot store.
    const result = { callId: 'call_1_2', ok: true, output: 'a\u0000\ud800b' }
    const taken = await post(`/${task}/tool-results`, encode(json({ results: [result] })), name)
    expect(taken).toMatchObject({ status: 200, body: { accepted: ['call_1_2'], status: 'queued' } })
    await world.perform()
    expect((await world.read(ada, task)).turns).toMatchObject([{ stopReason: 'completed' }])
    expect(JSON.stringify(world.upstream.requests.at(-1)?.body)).toContain('a\ufffdb')
  })

  test.for([
    ['gzip', gzipSync, '', 32 * MIB],
    ['zstd', zstdCompressSync, '/FILES/turns', 8 * MIB],
    ['gzip', gzipSync, '/CLIENT/tool-results', 8 * MIB],
  ] as const)('in %s that decodes to more than the limit is refused', async ([name, encode, path, limit]) => {
    const bomb = encode(Buffer.alloc(limit + 1, ' '))
    expect(bomb.length).toBeLessThan(limit / 100)
    expect(await post(path, bomb, name)).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  test('that is damaged, or in another encoding, is refused', async () => {
    const whole = json({ workspace: CLIENT })
    for (const [name, encode] of encodings) {
      const damaged = [encode(whole).subarray(0, -6), whole, Buffer.concat([encode(whole), whole])]
      for (const raw of damaged)
        expect(await post('', raw, name)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
      expect(await post('', encode('{'), name)).toMatchObject({ body: { code: 'malformed_json' } })
    }
    for (const name of ['deflate', 'gzip, zstd', 'aes128gcm'])
      expect(await post('', whole, name)).toMatchObject({ status: 415 })
  })

  test('that is plain has the same limits', async () => {
    const body = { prompt: 'x', attachments: Array.from({ length: 5 }, () => LARGE) }
    expect(await send('POST', '/FILES/turns', body)).toMatchObject({ status: 413 })
  })
  const LARGE = { name: 'a.txt', content: 'x'.repeat(1_900_000) }
})

describe('a repeated request', () => {
  const keyed = (path: string, body: object, key: string) =>
    send('POST', path, body, { headers: { 'idempotency-key': key } })

  test('to create a task gets the same task, and with another body it is refused', async () => {
    const body = { workspace: { kind: 'files', files: [{ path: 'a.txt', content: 'a' }] } }
    const first = await keyed('', body, 'create-once')
    expect(await keyed('', body, 'create-once')).toMatchObject({ status: 201, text: first.text })
    const other = await keyed('', { ...body, title: 'Other' }, 'create-once')
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })

  test('to start a turn starts one, also after it has finished', async () => {
    const task = await world.create(ada, { 'a.txt': 'one\n' })
    const body = { prompt: 'Look at it.' }
    const replies = await Promise.all([1, 2, 3].map(() => keyed(`/${task}/turns`, body, 'turn-once')))
    const started = replies.filter(({ status }) => status === 202)
    expect(new Set(started.map(({ text }) => text)).size).toBe(1)
    for (const { status, body: refusal } of replies)
      if (status !== 202) expect([status, refusal.code]).toEqual([409, 'idempotency_in_progress'])
    await world.perform()
    const again = await keyed(`/${task}/turns`, body, 'turn-once')
    expect(again).toMatchObject({ status: 202, text: started[0]?.text })
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(await keyed(`/${task}/turns`, { prompt: 'Other.' }, 'turn-once')).toMatchObject({ status: 422 })
    await world.perform()
    expect((await world.read(ada, task)).turns).toHaveLength(1)
    expect(world.upstream.requests).toHaveLength(1)
  })

  test('with results stores each once, whichever request comes first', async () => {
    world.upstream.fallback(byStep(calls(['list', {}], ['read', { path: 'a.txt' }]), 'Done.'))
    const task = await world.create(ada, CLIENT)
    await world.turn(ada, task)
    const result = (callId: string, output: string) => ({ callId, ok: true, output })
    const post = (...results: object[]) => send('POST', `/${task}/tool-results`, { results })
    const list = result('call_1_2', 'a.txt')
    const twice = await post(list, { ...list, output: 'b.txt' })
    expect(twice.body).toEqual({ accepted: ['call_1_2'], ignored: ['call_1_2'], status: 'waiting' })
    const replies = await Promise.all(['one', 'two', 'three'].map((text) => post(result('call_1_3', text))))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(replies.flatMap(({ body }) => body.accepted)).toEqual(['call_1_3'])
    await world.perform()
    expect((await post(list)).body).toEqual({ accepted: [], ignored: ['call_1_2'], status: 'idle' })
    const events = await world.events(ada, task)
    expect(events.filter(({ kind }) => kind === 'tool_result')).toHaveLength(2)
    expect(world.upstream.requests).toHaveLength(2)
  })

  test('with a decision counts once, and the first decision holds', async () => {
    const decide = (allow: boolean) => send('POST', '/APPROVAL/approvals', { approvalId: 'call_1_2', allow })
    const [first, ...others] = [await decide(false), await decide(true), await decide(false)]
    for (const { status } of [first, ...others]) expect(status).toBe(200)
    world.upstream.fallback(() => 'Done.')
    await world.perform()
    expect(await world.file(ada, ids.APPROVAL, '.github/workflows/ci.yml')).toBeNull()
    expect((await decide(true)).body).toMatchObject({ status: 'idle', turns: [{ stopReason: 'completed' }] })
    expect(world.upstream.requests).toHaveLength(1)
  })

  test('to stop or to revert changes nothing more', async () => {
    const stop = () => send('POST', '/FILES/stop')
    expect([(await stop()).status, (await stop()).status]).toEqual([200, 200])
    const revert = () => send('POST', '/FILES/revert', { turnId: 'TURN' })
    expect([(await revert()).body, (await revert()).body]).toEqual([
      { changed: [], change: 0 },
      { changed: [], change: 0 },
    ])
  })
})
