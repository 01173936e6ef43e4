import { rmSync } from 'node:fs'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { afterAll, expect, test } from 'vitest'
import { createTodoTools } from './todo-tools.ts'

const folder = scratchFolder()
afterAll(() => rmSync(folder, { recursive: true }))

const run = (todos: unknown) =>
  createTodoTools(folder).run(
    { callId: 'c', turnId: 't', tool: 'todo', input: { todos } },
    { signal: new AbortController().signal },
  )

test('the list is stored and is there again in the next process', async () => {
  const report = await run([
    { text: 'read', state: 'done' },
    { text: 'write \x1b[2J\n it', state: 'active' },
  ])
  expect(report).toMatchObject({ ok: true, summary: '1 of 2 done', details: ['[x] read', '[>] write it'] })
  expect(createTodoTools(folder).todos()).toEqual([
    { text: 'read', state: 'done' },
    { text: 'write it', state: 'active' },
  ])
})

test.for<[unknown, string]>([
  ['x', 'must be a list'],
  [[{ text: '', state: 'open' }], 'Entry 1 has no text'],
  [[{ text: 'a', state: 'later' }], 'open, active or done'],
  [Array.from({ length: 51 }, () => ({ text: 'a', state: 'open' })), 'at most 50'],
])('a wrong list changes nothing and says why: %j', async ([todos, reason]) => {
  const before = createTodoTools(folder).todos()
  expect(await run(todos)).toMatchObject({ ok: false, output: expect.stringContaining(reason) })
  expect(createTodoTools(folder).todos()).toEqual(before)
})
