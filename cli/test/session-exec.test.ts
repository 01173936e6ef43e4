// `cowrie exec` against the real service with a scripted model: local files, rules, verification and exit codes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@cowrie/sdk'
import { byStep, calls, resultsIn } from '@cowrie/testkit/tasks/world.ts'
import { expect, test } from 'vitest'
import type { ExecLine } from '../src/interactive/exec/lines.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { BROKEN, FIX, FIXED, useSessionDesk } from './session-desk.ts'

const desk = useSessionDesk()

const exec = (args: string[], { env, machine, ...options }: CommandOptions = {}): Promise<CommandResult> =>
  cowrie(args, {
    ...options,
    env: desk.env(env),
    machine: { cwd: desk.repo.root, ...machine },
  })
const linesOf = ({ stdout }: CommandResult): ExecLine[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ExecLine)

test('it edits local files within the budget, prints the answer, and "cowrie undo" takes the change back', async () => {
  desk.world.upstream.fallback(
    byStep(calls(['read', { path: 'src/add.js' }]), calls([...FIX]), 'Fixed `add`.'),
  )
  const done = await exec(['exec', 'Make add() add.', '--budget', '500', '--approve', 'edits'])
  expect(done).toMatchObject({ code: 0, stdout: 'Fixed `add`.\n' })
  expect(done.stderr).toContain('M src/add.js  +1 -1')
  expect(done.stderr).toMatch(/Cost ₦\d+\.\d\d · Balance ₦[\d,.]+ · ↑ .* ↓ .* · session tsk_/)
  expect(desk.text('src/add.js')).toBe(FIXED)
  const undone = await exec(['undo'])
  expect(undone.code).toBe(0)
  expect(undone.stdout).toContain('src/add.js')
  expect(desk.text('src/add.js')).toBe(BROKEN)
})

test('with --json it prints one event per line, and the result at the end', async () => {
  desk.world.upstream.fallback(byStep(calls([...FIX]), 'Done.'))
  const done = await exec(['exec', 'Fix it.', '--budget', '500', '--approve', 'edits', '--json'])
  const lines = linesOf(done)
  expect(lines.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['session', 'price', 'call', 'report', 'text', 'meter', 'result']),
  )
  expect(lines[0]).toMatchObject({ kind: 'session', budgetMinor: 50_000, currency: 'NGN', approve: 'edits' })
  expect(lines.at(-1)).toMatchObject({
    kind: 'result',
    stopReason: 'completed',
    summary: 'Done.',
    verified: null,
    changes: [{ path: 'src/add.js', action: 'update', addedLines: 1, removedLines: 1 }],
    declined: [],
    exit: 0,
  })
  expect(done.stderr).toBe('')
})

test('with --json a server of tools that cannot start is named after the session', async () => {
  desk.world.upstream.fallback(byStep('Done.'))
  const config = join(desk.home, '.config', 'cowrie')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'mcp.json'), '{"mcpServers":{"rates":{"command":"/missing/server"}}}')
  const lines = linesOf(await exec(['exec', 'Hello.', '--budget', '500', '--json']))
  expect(lines.slice(0, 2)).toMatchObject([
    { kind: 'session' },
    { kind: 'note', note: 'tools', detail: expect.stringContaining('rates does not work') },
  ])
})

test('what needs consent is declined, the model learns why, and the end lists it', async () => {
  desk.world.upstream.fallback(byStep(calls([...FIX]), 'I could not.'))
  const done = await exec(['exec', 'Fix it.', '--budget', '500', '--json'])
  expect(desk.text('src/add.js')).toBe(BROKEN)
  expect(resultsIn(desk.world.upstream.requests.at(-1) as never).join()).toContain(
    'needs the consent of a person',
  )
  expect(linesOf(done).at(-1)).toMatchObject({
    declined: [{ tool: 'edit', about: 'edit', subject: 'src/add.js' }],
    changes: [],
    exit: 6,
  })
  expect(done.code).toBe(6)
})

test('plan mode changes nothing, also with full approval', async () => {
  desk.world.upstream.fallback(byStep(calls([...FIX]), 'The plan: use a plus.'))
  const done = await exec(['exec', 'Fix it.', '--budget', '500', '--plan', '--approve', 'full'])
  expect(done.code).toBe(0)
  expect(desk.text('src/add.js')).toBe(BROKEN)
})

test('a session is continued, and the service has its transcript', async () => {
  desk.world.upstream.fallback(byStep('My name is Kobo.', 'I said Kobo.'))
  const first = await exec(['exec', 'Who are you?', '--budget', '500', '--json'])
  const again = await exec(['exec', 'Who did you say?', '--continue', '--json'])
  const [one, two] = [first, again].map((done) => linesOf(done)[0])
  expect(two).toMatchObject({ taskId: one?.kind === 'session' ? one.taskId : '' })
  expect(linesOf(again).at(-1)).toMatchObject({ summary: 'I said Kobo.' })
})

test('an empty balance and a used budget are exit code 5, and a folder without git needs an option', async () => {
  const poor = await desk.world.customer(0n)
  const broke = await exec(['exec', 'Fix it.', '--budget', '500'], { env: { COWRIE_API_KEY: poor.bearer } })
  expect(broke.code).toBe(5)
  expect(broke.stderr).toContain('cowrie wallet topup')
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-folder-'))
  const outside = await exec(['exec', 'Fix it.'], { machine: { cwd: folder } })
  expect(outside).toMatchObject({ code: 1, stderr: expect.stringContaining('--no-git') })
  const atHome = await exec(['exec', 'Fix it.', '--no-git'], { machine: { cwd: desk.home } })
  expect(atHome).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a project') })
  rmSync(folder, { recursive: true })
})

test('a budget that is too small names the least one, and no session is kept', async () => {
  const bola = await desk.world.customer()
  const env = { COWRIE_API_KEY: bola.bearer }
  const small = await exec(['exec', 'Fix it.', '--budget', '0.01'], { env })
  expect(small.code).toBe(5)
  const [, least = ''] = /needs at least ₦[\d.]+\..*Allow more: --budget ([\d.]+)\n/s.exec(small.stderr) ?? []
  expect(Number(least)).toBeGreaterThan(0.01)
  expect(small.stderr).not.toContain('Minor')
  const asJson = await exec(['exec', 'Fix it.', '--budget', '0.01', '--json'], { env })
  expect(JSON.parse(asJson.stderr)).toMatchObject({ code: 'budget_too_low', next: expect.any(String) })
  expect(linesOf(asJson).map(({ kind }) => kind)).toEqual(['session'])
  const client = createClient({ baseUrl: desk.url, key: bola.bearer })
  expect((await client.tasks.list({ mine: true })).tasks).toEqual([])
  desk.world.upstream.fallback(() => 'Done.')
  expect((await exec(['exec', 'Fix it.', '--budget', least], { env })).stdout).toBe('Done.\n')
  const lower = await exec(['exec', 'More.', '--continue', '--budget', '0.01'], { env })
  expect([lower.code, lower.stderr]).toEqual([
    5,
    expect.stringMatching(/must be at least ₦[\d.]+: .*\n {2}Use at least: --budget [\d.]+\n/),
  ])
})

test('sessions of another account are passed over', async () => {
  desk.world.upstream.fallback(() => 'Done.')
  await exec(['exec', 'Fix it.', '--budget', '500'])
  const bola = await desk.world.customer()
  const env = { COWRIE_API_KEY: bola.bearer }
  const none = await exec(['resume'], { env })
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('no earlier session')])
  const [own] = linesOf(await exec(['exec', 'Mine.', '--budget', '500', '--json'], { env }))
  await exec(['exec', 'Again.', '--continue'])
  const [again] = linesOf(await exec(['exec', 'More.', '--continue', '--json'], { env }))
  expect(again).toMatchObject({ taskId: own?.kind === 'session' ? own.taskId : '' })
})

test('a second undo outside of a repository says that nothing is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-folder-'))
  const undone = await exec(['undo'], { machine: { cwd: folder } })
  expect([undone.code, undone.stderr]).toEqual([1, expect.stringContaining('(nothing_to_undo)')])
  rmSync(folder, { recursive: true })
})

test('--verify runs here: the agent fixes a failure, and what still fails is exit code 10', async () => {
  const check = `node -e "import('./src/add.js').then(m => process.exit(m.add(1, 1) === 2 ? 0 : 1))"`
  desk.world.upstream.fallback(byStep('Looks fine.', calls([...FIX]), 'Now it is.'))
  const fixed = await exec([
    'exec',
    'Fix it.',
    '--budget',
    '500',
    '--approve',
    'edits',
    '--verify',
    check,
    '--json',
  ])
  expect(linesOf(fixed).filter(({ kind }) => kind === 'verification')).toMatchObject([
    { passed: false, round: 1 },
    { passed: true, round: 2 },
  ])
  expect(linesOf(fixed).at(-1)).toMatchObject({ verified: true, exit: 0 })
  desk.world.upstream.fallback(() => 'I give up.')
  const failed = await exec(['exec', 'Go.', '--budget', '500', '--verify', 'false', '--json'])
  expect([failed.code, linesOf(failed).at(-1)]).toMatchObject([10, { verified: false, exit: 10 }])
})

test('wrong options are exit code 64, and nothing is sent', async () => {
  for (const args of [
    ['exec'],
    ['exec', 'x', '--approve', 'all'],
    ['exec', 'x', '--budget', '1,000'],
    ['exec', 'x', '--continue', '--session', 'tsk_1'],
  ])
    expect((await exec(args, { machine: { isStdinTerminal: args.length === 1 } })).code, args.join(' ')).toBe(
      64,
    )
})
