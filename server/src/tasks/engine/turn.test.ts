// Whole turns against a scripted model.
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { byStep, calls, resultsIn, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

let world: TaskWorld
let ada: Person
beforeAll(async () => {
  world = await startTaskWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  world.upstream.reset()
  ada = await world.customer()
})

const FILES = { 'src/add.js': 'export const add = (a, b) => a - b\n', 'README.md': '# Sums\n' }
const FIX = ['edit', { path: 'src/add.js', edits: [{ find: 'a - b', replace: 'a + b' }] }] as const

test('a turn reads, edits and summarises, and costs what its calls cost', async () => {
  world.upstream.fallback(
    byStep(calls(['list', {}], ['read', { path: 'src/add.js' }]), calls([...FIX]), 'I corrected add.'),
  )
  const task = await world.create(ada, FILES)
  const turn = await world.turn(ada, task, { prompt: 'Fix add.' })
  expect(turn).toMatchObject({ status: 'finished', stopReason: 'completed', summary: 'I corrected add.' })
  expect(await world.file(ada, task, 'src/add.js')).toBe('export const add = (a, b) => a + b\n')
  const { sum } = await world.server.sql.one<{ sum: bigint }>`
    select coalesce(sum(charged_minor), 0)::bigint as sum from holds where org_id = ${ada.orgId}`
  expect(turn.spentMinor).toBe(sum)
  expect(sum).toBeGreaterThan(0n)
  const view = await world.read(ada, task)
  expect(view).toMatchObject({ title: 'Fix add.', status: 'idle', spentMinor: sum })
  const kinds = (await world.events(ada, task)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'tool_result')).toHaveLength(3)
  expect(new Set(kinds)).toEqual(new Set(['status', 'tool', 'tool_result', 'change', 'cost', 'message']))
  expect(resultsIn(world.upstream.requests.at(-1) as never)[1]).toContain('a - b')
})

test('a follow-up sees the conversation and the changed files', async () => {
  world.upstream.fallback(
    byStep(calls([...FIX]), 'Done.', calls(['read', { path: 'src/add.js' }]), 'It adds now.'),
  )
  const task = await world.create(ada, FILES)
  await world.turn(ada, task)
  const second = await world.turn(ada, task, { prompt: 'What does it do now?' })
  expect(second).toMatchObject({ ordinal: 2, stopReason: 'completed', summary: 'It adds now.' })
  const last = world.upstream.requests.at(-1)
  expect(JSON.stringify(last?.body.messages)).toContain('What does it do now?')
  expect(resultsIn(last as never).at(-1)).toContain('a + b')
})

test('every prompt begins with the one before it, over steps, parallel calls, failures and turns', async () => {
  const lists = [calls(['list', {}], ['read', { path: 'no.js' }], ['read', { path: 'README.md' }])]
  const turns = [...lists, calls([...FIX]), { status: 503, body: {} }, 'Done.']
  let asked = 0
  world.upstream.fallback(() => turns[asked++ % turns.length] ?? 'Done.')
  const task = await world.create(ada, FILES)
  for (const prompt of ['Fix add.', 'Look again.', 'And again.']) await world.turn(ada, task, { prompt })
  const prompts = world.upstream.requests.map(({ body }) => body.messages as object[])
  expect(prompts.length).toBeGreaterThanOrEqual(12)
  for (const [i, messages] of prompts.slice(1).entries())
    expect(messages.slice(0, prompts[i]?.length)).toEqual(prompts[i])
})

test('attachments reach the model, and the task shows their names', async () => {
  world.upstream.fallback(() => 'A red dot.')
  const task = await world.create(ada, FILES)
  const image = { name: 'dot "1".png', mediaType: 'image/png', data: 'iVBORw0KGgo=' }
  const notes = { name: 'notes.txt', content: 'Notes: \u0001 "quoted" \\u0000' }
  await world.turn(ada, task, { prompt: 'What is it?', attachments: [image, notes] })
  await world.turn(ada, task, { prompt: 'Are you sure?' })
  for (const { body } of world.upstream.requests) {
    const text = JSON.stringify(body.messages)
    expect(text).toContain(image.data)
    expect(text).toContain('notes.txt')
  }
  const { turns } = await world.read(ada, task)
  expect(turns).toMatchObject([
    { attachments: [{ name: 'dot "1".png' }, { name: 'notes.txt' }] },
    { attachments: [] },
  ])
  expect(JSON.stringify(turns, (_, value) => (typeof value === 'bigint' ? `${value}` : value))).not.toContain(
    image.data,
  )
})

test('the difference is the same on every device, from any turn, and can be reverted', async () => {
  world.upstream.fallback(
    byStep(calls([...FIX]), 'Done.', calls(['create', { path: 'new.txt', content: 'hello\n' }]), 'Added.'),
  )
  const task = await world.create(ada, FILES)
  const first = await world.turn(ada, task)
  await world.turn(ada, task, { prompt: 'Add a file.' })
  const get = (path: string, accept = 'application/json') =>
    world.server.call<{ files: { path: string; action: string }[] }>('GET', `/tasks/${task}/${path}`, {
      as: ada,
      headers: { accept },
    })
  const whole = await get('diff')
  expect(whole.body.files.map(({ path, action }) => [path, action])).toEqual([
    ['new.txt', 'create'],
    ['src/add.js', 'update'],
  ])
  expect((await get(`diff?from=${first.id}`)).body.files.map(({ path }) => path)).toEqual(['new.txt'])
  const patch = await get('diff', 'text/x-diff')
  expect(patch.text).toContain(
    'diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt',
  )
  expect(patch.text).toContain('-export const add = (a, b) => a - b\n+export const add = (a, b) => a + b\n')
  const reverted = await world.server.call('POST', `/tasks/${task}/revert`, {
    as: ada,
    body: { turnId: first.id },
  })
  expect(reverted.body).toEqual({ changed: ['new.txt'], change: 3 })
  expect(await world.file(ada, task, 'new.txt')).toBeNull()
  expect(await world.file(ada, task, 'src/add.js')).toContain('a + b')
  await world.turn(ada, task, { prompt: 'And now?' })
  expect(JSON.stringify(world.upstream.requests.at(-1)?.body.messages)).toContain(
    'reverted or rejected changes in these files: new.txt.',
  )
})
