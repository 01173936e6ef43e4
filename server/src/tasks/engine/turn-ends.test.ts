// How turns end: by their budget, a stop, a failure, a model without progress, or a long conversation.
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, resultsIn, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let world: TaskWorld
let ada: Person
beforeAll(async () => {
  world = await startTaskWorld({ variables: { SERVICE_UPSTREAM_CONTEXT_TOKENS: '16000' } })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.upstream.reset()
  ada = await world.customer()
})

const FILES = { 'a.txt': 'one\n' }
const write = (n: number) => calls(['create', { path: `file-${n}.txt`, content: `${n}\n` }])
const leastOf = async (task: string) => {
  const { body } = await world.server.call<{ leastMinor: bigint }>('POST', `/tasks/${task}/quote`, {
    as: ada,
    body: {},
  })
  return body.leastMinor
}
const heldOf = async ({ orgId }: Person) =>
  world.server.sql.one<{ open: number }>`
    select count(*)::int as open from holds where org_id = ${orgId} and state = 'open'`

test('a turn that reaches its maximum ends with budget_reached, costs no more, and keeps the work', async () => {
  let n = 0
  world.upstream.fallback(() => ({
    ...write(++n),
    usage: { prompt_tokens: 3_000, completion_tokens: 400, total_tokens: 3_400 },
  }))
  const task = await world.create(ada, FILES)
  const maxMinor = (await leastOf(task)) * 3n
  const turn = await world.turn(ada, task, { maxMinor })
  expect(turn).toMatchObject({ stopReason: 'budget_reached', maxMinor })
  expect(turn.spentMinor).toBeGreaterThan(0n)
  expect(turn.spentMinor).toBeLessThanOrEqual(maxMinor)
  expect(await world.file(ada, task, 'file-1.txt')).toBe('1\n')
  expect(await heldOf(ada)).toEqual({ open: 0 })
})

test('all turns together stay within the budget of the task', async () => {
  world.upstream.fallback(() => ({
    text: 'Done.',
    usage: { prompt_tokens: 3_000, completion_tokens: 400, total_tokens: 3_400 },
  }))
  const task = await world.create(ada, FILES)
  const budgetMinor = (await leastOf(task)) * 4n
  await world.server.call('PATCH', `/tasks/${task}`, { as: ada, body: { budgetMinor } })
  let refusal = ''
  for (let n = 0; n < 12 && refusal === ''; n++)
    await world.turn(ada, task).catch((error: Error) => {
      refusal = error.message
    })
  expect(refusal).toContain('budget_too_low')
  expect((await world.read(ada, task)).spentMinor).toBeLessThanOrEqual(budgetMinor)
})

test('without money no turn starts, and nothing is stored', async () => {
  const poor = await world.customer(0n)
  const task = await world.create(poor, FILES)
  await expect(world.start(poor, task)).rejects.toThrow('insufficient_funds')
  expect((await world.read(poor, task)).turns).toEqual([])
})

test('a task has one turn at a time, and a stop ends a turn that has not begun at once', async () => {
  const task = await world.create(ada, FILES)
  await world.start(ada, task)
  await expect(world.start(ada, task)).rejects.toThrow('turn_running')
  const stopped = await world.server.call('POST', `/tasks/${task}/stop`, { as: ada })
  expect(stopped.body).toMatchObject({ status: 'idle', turns: [{ stopReason: 'stopped', spentMinor: 0n }] })
  await world.perform()
  expect(world.upstream.requests).toHaveLength(0)
})

test('a stop during a turn lets the step in progress finish, and starts no other', async () => {
  const task = await world.create(ada, FILES)
  const stop = () => world.server.call('POST', `/tasks/${task}/stop`, { as: ada })
  world.upstream.fallback(() => ({ ...write(1), pieces: [stop, 'I write.'] }))
  const turn = await world.turn(ada, task)
  expect(turn).toMatchObject({ stopReason: 'stopped' })
  expect(turn.spentMinor).toBeGreaterThan(0n)
  expect(world.upstream.requests).toHaveLength(1)
  expect(await world.file(ada, task, 'file-1.txt')).toBeNull()
})

test('a provider that fails for long costs nothing', async () => {
  world.upstream.fallback(() => ({ status: 500, body: { error: { message: 'broken' } } }))
  const task = await world.create(ada, FILES)
  await world.start(ada, task)
  for (let attempt = 0; attempt < 10; attempt++) {
    await world.perform()
    world.server.clock.advance({ minutes: 2 })
  }
  const [turn] = (await world.read(ada, task)).turns
  expect(turn).toMatchObject({ status: 'finished', stopReason: 'upstream_failed', spentMinor: 0n })
  expect(await heldOf(ada)).toEqual({ open: 0 })
})

test('a provider that fails once delays the turn, and only the answer is charged', async () => {
  let failures = 0
  world.upstream.fallback(() =>
    failures++ < 3 ? { status: 500, body: { error: { message: 'broken' } } } : 'Nothing to do.',
  )
  const task = await world.create(ada, FILES)
  await world.start(ada, task)
  for (let attempt = 0; attempt < 3; attempt++) {
    await world.perform()
    world.server.clock.advance({ minutes: 2 })
  }
  const [turn] = (await world.read(ada, task)).turns
  expect(turn).toMatchObject({ stopReason: 'completed', summary: 'Nothing to do.' })
  const charges = await world.server.sql.rows`
    select id from holds where org_id = ${ada.orgId} and state = 'settled'`
  expect(charges).toHaveLength(1)
})

test.for([
  ['repeats one call', () => calls(['read', { path: 'a.txt' }])],
  ['makes only wrong calls', (n: number) => calls(['read', { path: `missing-${n}.txt` }])],
] as const)('a model that %s ends without progress', async ([, answer]) => {
  let n = 0
  world.upstream.fallback(() => answer(++n))
  const task = await world.create(ada, FILES)
  expect(await world.turn(ada, task)).toMatchObject({ stopReason: 'no_progress' })
  expect(world.upstream.requests.length).toBeLessThan(10)
})

test('wrong calls are answered to the model: unknown tools, wrong arguments, and cut JSON', async () => {
  world.upstream.fallback(
    byStep(
      {
        toolCalls: [
          { name: 'deploy', arguments: '{}' },
          { name: 'read', arguments: '{"path": 7}' },
          { name: 'read', arguments: '{"pa' },
        ],
      },
      'I could not.',
    ),
  )
  const task = await world.create(ada, FILES)
  const turn = await world.turn(ada, task)
  expect(turn).toMatchObject({ stopReason: 'completed', summary: 'I could not.' })
  const results = (await world.events(ada, task)).filter(({ kind }) => kind === 'tool_result')
  expect(results).toHaveLength(3)
  for (const result of results) expect(result).toMatchObject({ ok: false })
})

test('a long conversation is replaced by a summary, which is charged and announced', async () => {
  const long = `${'word '.repeat(20)}\n`.repeat(180)
  const task = await world.create(ada, { 'a.txt': long, 'b.txt': long, 'c.txt': long })
  const read = ['a', 'b', 'c', 'a'].map((name) => calls(['read', { path: `${name}.txt` }]))
  let n = 0
  world.upstream.fallback(({ body }) => {
    const isSummary = JSON.stringify(body.messages).includes('Write a summary of this conversation')
    if (isSummary) return 'SUMMARY: three files of words were read.'
    return read[n++] ?? 'They all say word.'
  })
  const turn = await world.turn(ada, task, { prompt: 'What do the files say?' })
  expect(turn).toMatchObject({ stopReason: 'completed', summary: 'They all say word.' })
  // The next turn is quoted for the summary, not for what it replaced.
  const fresh = await world.create(ada, FILES)
  expect(await leastOf(task)).toBeLessThan((await leastOf(fresh)) * 2n)
  const events = await world.events(ada, task)
  expect(events).toContainEqual(expect.objectContaining({ kind: 'status', note: 'compacted' }))
  const after = JSON.stringify(world.upstream.requests.at(-1)?.body.messages)
  expect(after).toContain('SUMMARY: three files of words were read.')
  expect(after).toContain('What do the files say?')
  const costs = events
    .filter(({ kind }) => kind === 'cost')
    .map((event) => BigInt((event as { costMinor: bigint }).costMinor))
  expect(costs.reduce((sum, each) => sum + each, 0n)).toBe(turn.spentMinor)

  await world.turn(ada, task, { prompt: 'Which one is the longest?' })
  const later = world.upstream.requests.at(-1)?.body.messages as { role: string }[]
  expect(later.filter(({ role }) => role === 'user')).toHaveLength(2)
  expect(JSON.stringify(later)).toContain('SUMMARY: three files of words were read.')
  expect(resultsIn(world.upstream.requests.at(-1) as never).length).toBeLessThan(read.length)
})

test('an answer that the provider filtered entirely ends the turn at once, and is free', async () => {
  world.upstream.fallback(() => ({ text: '', finish: 'content_filter' }))
  const task = await world.create(ada, FILES)
  expect(await world.turn(ada, task)).toMatchObject({ stopReason: 'declined', spentMinor: 0n })
  expect(world.upstream.requests).toHaveLength(1)
  world.upstream.fallback(() => 'Done.')
  expect(await world.turn(ada, task)).toMatchObject({ stopReason: 'completed' })
  expect(await heldOf(ada)).toEqual({ open: 0 })
})

test('a member who left the organisation pays for nothing more', async () => {
  world.upstream.fallback(() => 'Done.')
  const task = await world.create(ada, FILES)
  await world.start(ada, task)
  await world.server.sql.rows`delete from memberships where org_id = ${ada.orgId} and user_id = ${ada.userId}`
  await world.perform()
  expect(world.upstream.requests).toHaveLength(0)
  expect(await world.server.sql.rows`select stop_reason from task_turns where org_id = ${ada.orgId}`).toEqual(
    [{ stop_reason: 'policy' }],
  )
})
