// Access and storage of tasks: members, API keys with limits, policies, placements of content, retention and deletion.
import { type Person, withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { ROUTE_IDS } from '@cowrie/testkit/harness/tenants/tenant-routes.ts'
import { byStep, calls, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withDatabase } from '../../platform/db/connection-url.ts'
import { openPool } from '../../platform/db/pool.ts'
import { deleteOldTasks } from '../jobs.ts'

const FILES = { 'a.txt': 'one\n' }
const CLIENT = { kind: 'client', name: 'my-laptop' }
const WRITE = calls(['create', { path: 'b.txt', content: 'two\n' }])
const TABLES = ['tasks', 'task_turns', 'task_steps', 'task_base_files', 'task_changes', 'stream_events']

let world: TaskWorld
let operator: Person
let ada: Person
beforeAll(async () => {
  world = await startTaskWorld({ variables: { SERVICE_SANDBOX_LOCAL: 'off', SERVICE_SANDBOX_DOCKER: 'off' } })
  operator = await world.server.person({ staff: 'super_admin' })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.upstream.reset()
  world.upstream.fallback(byStep(WRITE, 'Done.'))
  ada = await world.customer()
  await world.server.sql.rows`update orgs set type = 'team', tier = 'team' where id = ${ada.orgId}`
})

const call = <T = Record<string, unknown>>(
  as: { bearer: string },
  method: string,
  path: string,
  body?: object,
) =>
  world.server.call<T & { code?: string }>(method, path, {
    as,
    ...(body && { body }),
    headers: { 'idempotency-key': `call-${++sent}` },
  })
let sent = 0
const decide = (body: object) => call(operator, 'PUT', `/orgs/${ada.orgId}/policy`, body)
/** The number of rows of the organisation in each table. */
async function countRows(schema = 'public', sql = world.server.sql): Promise<number[]> {
  const counts: number[] = []
  for (const table of TABLES) {
    const text = `select count(*)::int as n from "${schema}".${table} where org_id = '${ada.orgId}'`
    const { n } = await sql.one<{ n: number }>(Object.assign([text], { raw: [text] }))
    counts.push(n)
  }
  return counts
}
const NONE = TABLES.map(() => 0)

describe('a member', () => {
  const routes = Object.entries(ROUTE_IDS).filter(([address]) => address.includes('/tasks/{id}'))
  const addressOf = (address: string, task: string): [string, string] => {
    const [method = '', path = ''] = address.split(' ')
    return [method, path.replace('{id}', task).replace('{callId}', 'call_1_2').replace('{path}', 'a.txt')]
  }

  test('gets 404 for the task of another member from every route, and admins work with it', async () => {
    expect(routes.length).toBeGreaterThanOrEqual(14)
    const owner = await world.server.member(ada.orgId, 'member')
    const task = await world.create(owner, FILES)
    const { id: turnId } = await world.turn(owner, task)
    const before = await world.read(owner, task)
    const colleague = await world.server.member(ada.orgId, 'member')
    for (const [address, { rest }] of routes) {
      const [method, path] = addressOf(address, task)
      const body = address.endsWith('/revert') ? { turnId } : (rest ?? {})
      const reply = await call(colleague, method, path, method === 'GET' ? undefined : body)
      expect([address, reply.status, reply.body.code]).toEqual([address, 404, 'not_found'])
    }
    expect(await world.read(owner, task)).toEqual(before)
    const listed = async (as: Person, query = '') =>
      (await call<{ tasks: { id: string }[] }>(as, 'GET', `/tasks${query}`)).body.tasks.map(({ id }) => id)
    expect([
      await listed(owner),
      await listed(colleague),
      await listed(ada),
      await listed(ada, '?mine=true'),
    ]).toEqual([[task], [], [task], []])
    expect(await world.turn(ada, task, { prompt: 'Go on.' })).toMatchObject({ stopReason: 'completed' })
  })
})

describe('an API key', () => {
  const createKey = async (body: object) => {
    const { body: made } = await call<{ id: string; key: string }>(ada, 'POST', '/auth/keys', {
      name: 'a key',
      scopes: ['agent:run'],
      ...body,
    })
    return { id: made.id, bearer: made.key }
  }
  const start = (as: { bearer: string }, task: string, body: object = {}) =>
    call<{ turnId: string }>(as, 'POST', `/tasks/${task}/turns`, { prompt: 'Do it.', ...body })

  test('without the scope is refused', async () => {
    const task = await world.create(ada, FILES)
    const reader = await createKey({ scopes: ['wallet:read'] })
    for (const [method, path] of [
      ['GET', '/tasks'],
      ['GET', `/tasks/${task}`],
      ['POST', `/tasks/${task}/turns`],
    ] as const)
      expect(await call(reader, method, path, method === 'POST' ? { prompt: 'x' } : undefined)).toMatchObject(
        {
          status: 403,
          body: { code: 'insufficient_scope' },
        },
      )
  })

  test('uses only its models', async () => {
    const key = await createKey({ models: ['frontier'] })
    const refused = { status: 403, body: { code: 'model_not_allowed' } }
    const workspace = { kind: 'files', files: [] }
    expect(await call(key, 'POST', '/tasks', { workspace, model: 'open' })).toMatchObject(refused)
    const task = await world.create(ada, FILES)
    expect(await call(key, 'PATCH', `/tasks/${task}`, { model: 'open' })).toMatchObject(refused)
    expect(await call(key, 'POST', `/tasks/${task}/quote`, { model: 'open' })).toMatchObject(refused)
    expect(await start(key, task, { model: 'open' })).toMatchObject(refused)
    // Another member chose the model of the task.
    await call(ada, 'PATCH', `/tasks/${task}`, { model: 'open' })
    expect(await start(key, task)).toMatchObject(refused)
    expect((await start(key, task, { model: 'frontier' })).status).toBe(202)
    await world.perform()
    expect(world.upstream.requests.map(({ body }) => body.model)).toEqual(['big-1', 'big-1'])
  })

  test('spends at most its budget, and the work stays', async () => {
    let n = 0
    world.upstream.fallback(() => calls(['create', { path: `${++n}.txt`, content: `${n}\n` }]))
    const task = await world.create(ada, FILES)
    const { body } = await call<{ leastMinor: bigint }>(ada, 'POST', `/tasks/${task}/quote`, {})
    const budgetMinor = body.leastMinor * 2n
    const key = await createKey({ budgetMinor: Number(budgetMinor) })
    expect((await start(key, task)).status).toBe(202)
    await world.perform()
    const [turn] = (await world.read(ada, task)).turns
    expect(turn).toMatchObject({ stopReason: 'budget_reached', errorCode: 'key_budget_exceeded' })
    expect(turn?.spentMinor).toBeGreaterThan(0n)
    expect(turn?.spentMinor).toBeLessThanOrEqual(budgetMinor)
    expect(await world.file(ada, task, '1.txt')).toBe('1\n')
    expect(await start(key, task)).toMatchObject({ status: 402, body: { code: 'key_budget_exceeded' } })
    expect((await start(ada, task)).status).toBe(202)
    await call(ada, 'POST', `/tasks/${task}/stop`, {})
  })

  test('that reached its tokens per minute starts no further turn, and one that is deleted ends its turn', async () => {
    const key = await createKey({ tokensPerMinute: 100 })
    const task = await world.create(ada, FILES)
    expect((await start(key, task)).status).toBe(202)
    await world.perform()
    expect(await start(key, task)).toMatchObject({ status: 429, body: { code: 'key_rate_limited' } })
    world.server.clock.advance({ seconds: 61 })
    world.upstream.fallback(() => ({
      ...calls(['list', {}]),
      pieces: [() => call(ada, 'DELETE', `/auth/keys/${key.id}`), 'I look.'],
    }))
    expect((await start(key, task)).status).toBe(202)
    const asked = world.upstream.requests.length
    await world.perform()
    expect((await world.read(ada, task)).turns.at(-1)).toMatchObject({ stopReason: 'policy' })
    expect(world.upstream.requests).toHaveLength(asked + 1)
  })
})

describe('an organisation', () => {
  test.for([
    ['a region', { residencyRegion: 'ng' }, 'residency_blocked'],
    ['other models', { allowedModels: ['claude-*'] }, 'model_not_allowed'],
  ] as const)('whose policy demands %s starts no turn, and ends one under way', async ([, policy, code]) => {
    let decided = 0
    world.upstream.fallback(() => ({
      ...WRITE,
      pieces: [async () => (decided = (await decide(policy)).status), 'I write.'],
    }))
    const task = await world.create(ada, FILES)
    expect(await world.turn(ada, task)).toMatchObject({ stopReason: 'policy', errorCode: code })
    expect(decided).toBe(200)
    expect(await world.file(ada, task, 'b.txt')).toBe('two\n')
    expect(await call(ada, 'POST', `/tasks/${task}/turns`, { prompt: 'More.' })).toMatchObject({
      body: { code },
    })
    expect(world.upstream.requests).toHaveLength(1)
  })

  const PLACEMENTS = isSoak ? (['schema', 'dedicated'] as const) : (['schema'] as const)
  test.for<'schema' | 'dedicated'>(PLACEMENTS)(
    'that moves to its own placement (%s) during a turn loses nothing, and the tables of others stay empty',
    async (dataIsolation) => {
      let moved = 0
      const move = async () => {
        moved ||= (await decide({ dataIsolation })).status
      }
      world.upstream.fallback(byStep({ ...WRITE, pieces: [move, 'I write.'] }, 'Done.'))
      const before = await world.create(ada, FILES)
      expect(await world.turn(ada, before)).toMatchObject({ stopReason: 'completed', summary: 'Done.' })
      expect(moved).toBe(200)
      const task = await world.create(ada, { 'c.txt': 'three\n' })
      expect(await world.turn(ada, task)).toMatchObject({ stopReason: 'completed', summary: 'Done.' })
      expect(await countRows()).toEqual(NONE)
      for (const id of [before, task]) expect(await world.file(ada, id, 'b.txt')).toBe('two\n')
      const own = dataIsolation === 'dedicated' ? openPool(databaseUrl()) : null
      const counts = await countRows(own ? 'public' : ada.orgId, own ?? undefined)
      await own?.end()
      // Two tasks with a turn of four steps each.
      expect(counts.slice(0, 5)).toEqual([2, 2, 8, 4, 2])
      expect((await call(ada, 'DELETE', `/tasks/${task}`)).status).toBe(200)
      const { text } = await call(ada, 'GET', `/orgs/${ada.orgId}/export`)
      expect(text).toContain(before)
      if (own) await withAdmin((admin) => admin.unsafe(`drop database "cowrie_${ada.orgId}" with (force)`))
    },
  )
  const databaseUrl = () => withDatabase(world.server.url, `cowrie_${ada.orgId}`)

  test('keeps tasks for a year after their last use', async () => {
    const [old, used] = [await world.create(ada, FILES), await world.create(ada, FILES)]
    await world.turn(ada, old)
    world.server.clock.advance({ days: 300 })
    await world.turn(ada, used)
    world.server.clock.advance({ days: 66 })
    await deleteOldTasks(world.server.app)
    expect((await call(ada, 'GET', `/tasks/${old}`)).status).toBe(404)
    expect((await world.read(ada, used)).turns).toHaveLength(1)
    const streams = await world.server.sql.rows`select id from streams where id = any(${[old, used]}::text[])`
    expect(streams).toEqual([{ id: used }])
  })

  test('cannot be closed during a model call, and its tasks are deleted with it', async () => {
    const { name } = await world.server.sql.one<{
      name: string
    }>`select name from orgs where id = ${ada.orgId}`
    const close = async () => {
      const { balance } = await world.server.sql.one<{ balance: bigint }>`
        select balance_minor as balance from wallets where org_id = ${ada.orgId}`
      return call(ada, 'DELETE', `/orgs/${ada.orgId}`, { confirm: name, forfeitMinor: Number(balance) })
    }
    const refused: unknown[] = []
    const step = calls(['list', {}])
    world.upstream.fallback(
      byStep({ ...step, pieces: [async () => refused.push((await close()).body.code), 'I look.'] }, 'Done.'),
    )
    const files = await world.create(ada, FILES)
    expect(await world.turn(ada, files)).toMatchObject({ stopReason: 'completed' })
    expect(refused).toEqual(['org_not_closable'])
    // A turn that waits for its caller holds no money.
    const client = await world.create(ada, CLIENT)
    expect(await world.turn(ada, client)).toMatchObject({ status: 'waiting' })
    expect((await close()).status).toBe(200)
    await world.perform()
    expect(await countRows()).toEqual(NONE)
    world.server.clock.advance({ days: 2 })
    await world.perform()
    const errors = world.server.logged.filter((line) => line.includes('"level":"error"'))
    // The credits of these tests have no payments.
    expect(
      errors.filter((line) => !line.includes('"checks":["settled_payments_are_clearing_credits"]')),
    ).toEqual([])
  })
})
