// Secrets through whole turns: files, commands, tests, titles, and the tools of a caller.
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
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

const KEY = planted('paystack-live').secret
const lastResults = () => resultsIn(world.upstream.requests.at(-1) as never)

test('the system prompt names placeholders as files show them', async () => {
  world.upstream.fallback(byStep(calls(['read', { path: 'pay.js' }]), 'Done.'))
  const task = await world.create(ada, { 'pay.js': `export const key = '${KEY}'\n` })
  await world.turn(ada, task)
  const [placeholder = ''] = /WITHHELD_SECRET_[0-9a-f]/.exec(lastResults()[0] ?? '') ?? []
  const { messages } = world.upstream.requests.at(-1)?.body as { messages: { content: unknown }[] }
  expect(JSON.stringify(messages[0]?.content)).toContain(`${placeholder.slice(0, -1)}…`)
})

test('a call that would write a placeholder over a secret never reaches the machine of the caller', async () => {
  const escaped = (text: string) => text.replace('W', '\\u0057')
  world.upstream.fallback((request) => {
    const [file = '', ...rest] = resultsIn(request)
    const [placeholder = 'none'] = /WITHHELD_SECRET_\w+_/.exec(file) ?? []
    if (file === '') return calls(['read', { path: 'pay.js' }])
    if (rest.length > 0) return 'Done.'
    const input = JSON.stringify({ path: 'pay.js', overwrite: true, content: `key = '${placeholder}'\n` })
    return { toolCalls: [input, escaped(input)].map((each) => ({ name: 'create', arguments: each })) }
  })
  const task = await world.create(ada, { kind: 'client', name: 'my-laptop' })
  await world.turn(ada, task)
  const [need] = (await world.read(ada, task)).needs
  const results = [{ callId: need?.callId, ok: true, output: `key = '${KEY}'\n` }]
  await world.server.call('POST', `/tasks/${task}/tool-results`, { as: ada, body: { results } })
  await world.perform()
  const { needs, turns } = await world.read(ada, task)
  expect({ needs, turns }).toMatchObject({ needs: [], turns: [{ stopReason: 'completed' }] })
  expect(lastResults().slice(1)).toEqual(Array(2).fill(expect.stringContaining('withheld secret')))
})

test('a secret in the first line of a prompt is not part of the title', async () => {
  world.upstream.fallback(() => 'Done.')
  const task = await world.create(ada, { 'a.txt': 'x' })
  await world.turn(ada, task, { prompt: `\nReplace ${KEY} by a variable\nSoon.` })
  expect((await world.read(ada, task)).title).toBe('Replace [secret] by a variable')
})
