// Secrets through whole turns: files, commands, tests, titles, and the tools of a caller.
import { createHash } from 'node:crypto'
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
const ENV = 'BILLING_CODE=Zx81-kilo-9922-tango\nDB_PASSWORD=mango-Tree-551-qq\n'
const VALUES = /Zx81-kilo|mango-Tree/
const seenByModel = () => JSON.stringify(world.upstream.requests.map(({ body }) => body))
const lastResults = () => resultsIn(world.upstream.requests.at(-1) as never)

test('the system prompt names placeholders as files show them', async () => {
  world.upstream.fallback(byStep(calls(['read', { path: 'pay.js' }]), 'Done.'))
  const task = await world.create(ada, { 'pay.js': `export const key = '${KEY}'\n` })
  await world.turn(ada, task)
  const [placeholder = ''] = /WITHHELD_SECRET_[0-9a-f]/.exec(lastResults()[0] ?? '') ?? []
  const [system] = (world.upstream.requests[0]?.body.messages ?? []) as object[]
  expect(JSON.stringify(system)).toContain(`${placeholder.slice(0, -1)}…`)
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

test('values of .env are hidden in copies and notes before any tool has read it', async () => {
  world.upstream.fallback(
    byStep(
      calls(
        ['read', { path: 'deploy/notes.md' }],
        ['search', { query: 'log in', kind: 'text' }],
        ['read', { path: 'conf/prod.txt' }],
      ),
      'Done.',
    ),
  )
  const task = await world.create(ada, {
    '.env': ENV,
    'AGENTS.md': 'The code of the shop is Zx81-kilo-9922-tango.\n',
    'conf/prod.txt': ENV,
    'deploy/notes.md': 'log in with Zx81-kilo-9922-tango or mango-Tree-551-qq\n',
  })
  const { withheld } = await world.turn(ada, task, { prompt: 'Look. The password is mango-Tree-551-qq.' })
  expect(lastResults()).toHaveLength(3)
  expect(seenByModel()).not.toMatch(VALUES)
  expect(withheld.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['prompt', 'AGENTS.md', 'deploy/notes.md', 'conf/prod.txt']),
  )
})

const TEST_THAT_PRINTS = `import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { a } from '../src/a.js'
const env = readFileSync('.env', 'utf8').split('\\n').map((line) => line.split('=')[1])
const key = readFileSync('src/keys.js', 'utf8').split('\\n')[3]
test('connects', () => assert.equal([a, ...env, key].join(' '), '3'))
`
const body = (from: string) =>
  Array.from({ length: 12 }, (_, i) =>
    createHash('sha256').update(`${from} ${i}`).digest('base64').slice(0, 43),
  )
const PEM_LINES = body('line')
const KEYS = `export const k = \`-----BEGIN RSA PRIVATE ${'KEY'}-----\n${PEM_LINES.join('\n')}\n-----END RSA PRIVATE ${'KEY'}-----\n\`\n`

test('the output of a verification shows no value of .env and no part of a key', async () => {
  world.upstream.fallback(
    byStep(calls(['edit', { path: 'src/a.js', edits: [{ find: '1', replace: '2' }] }]), 'Done.', 'I cannot.'),
  )
  const task = await world.create(ada, {
    'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
    '.env': ENV,
    'src/a.js': 'export const a = 1\n',
    'src/keys.js': KEYS,
    'test/a.test.js': TEST_THAT_PRINTS,
  })
  const { verification } = await world.turn(ada, task, { prompt: 'Fix it.' })
  expect(verification?.excerpt).toContain('WITHHELD_SECRET_')
  const shown = [verification, await world.events(ada, task), seenByModel()].map((each) =>
    JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
  )
  for (const text of shown) {
    expect(text).not.toMatch(VALUES)
    expect(text).not.toContain(PEM_LINES[2])
  }
})

test('a command that prints a part of a secret shows nothing of it', async () => {
  world.upstream.fallback(
    byStep(
      calls(
        ['run', { command: 'sed -n 3,6p src/keys.js' }],
        ['run', { command: 'tail -c 300 src/keys.js' }],
        ['run', { command: `cut -d'"' -f4 config/db.json` }],
      ),
      'Done.',
    ),
  )
  const password = ['Xk29vQpL', 'm83ZtRw1aa'].join('')
  const task = await world.create(ada, {
    'src/keys.js': KEYS,
    'config/db.json': `{\n"host": "db",\n"db_password": "${password}"\n}\n`,
  })
  await world.turn(ada, task, { prompt: 'Look.' })
  const shown = lastResults().join('\n')
  expect(shown.match(/WITHHELD_SECRET_\w+_/g)?.length).toBeGreaterThan(6)
  for (const line of PEM_LINES) expect(shown).not.toContain(line.slice(-20))
  expect(shown).not.toContain(password)
})

test('secrets that one turn allows are hidden in later turns', async () => {
  const first = byStep(
    calls(['read', { path: '.env' }], ['read', { path: 'pay.js' }]),
    calls(['create', { path: 'copy.js', content: `export const key = '${KEY}'\n` }]),
    `The key is ${KEY}, and the code Zx81-kilo-9922-tango.`,
  )
  world.upstream.fallback(first)
  const task = await world.create(ada, { '.env': ENV, 'pay.js': `export const key = '${KEY}'\n` })
  const prompt = `Look at .env and pay.js, not at ${KEY}.`
  const turn = await world.turn(ada, task, { prompt, allowSecrets: true })
  expect(seenByModel()).toMatch(VALUES)
  expect(seenByModel().split(KEY).length).toBeGreaterThan(4)
  expect(turn.summary).not.toMatch(VALUES)
  world.upstream.reset()
  world.upstream.fallback(() => 'You are welcome.')
  await world.turn(ada, task, { prompt: 'Thanks.', model: 'frontier' })
  expect(seenByModel()).not.toMatch(VALUES)
  expect(seenByModel()).not.toContain(KEY)
  expect(lastResults()).toHaveLength(3)
})
