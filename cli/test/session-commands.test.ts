// The slash commands of a session against the real service with a scripted model. The screen is recorded; everything behind it is
// real.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { byStep, calls } from '@cowrie/testkit/tasks/world.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { cowrie } from './cowrie.ts'
import { createRecordedScreen, type RecordedScreen } from './recorded-screen.ts'
import { BROKEN, FIX, useSessionDesk } from './session-desk.ts'

const desk = useSessionDesk()
let screen: RecordedScreen
beforeEach(() => {
  screen = createRecordedScreen()
})

type Start = { args?: string[]; env?: Record<string, string> }

/** Starts a session whose user types these messages and then quits. Returns the shown text. */
async function session(messages: string[], { args = [], env = {} }: Start = {}): Promise<string> {
  const from = screen.shown.length
  screen.type(...messages)
  const { code, stderr } = await cowrie(args, {
    env: desk.env(env),
    machine: {
      cwd: desk.repo.root,
      isStdinTerminal: true,
      isStdoutTerminal: true,
      openScreen: async () => screen,
    },
  })
  expect([code, stderr]).toEqual([0, ''])
  return screen.shown.slice(from).join('\n')
}
const BUDGET = ['--budget', '500']
const sentToModel = (): string => JSON.stringify(desk.world.upstream.requests.at(-1)?.body)

test('the status line, /cost and /budget show what was spent, and /budget changes the limit', async () => {
  desk.world.upstream.fallback(() => 'Hello.')
  const shown = await session(['Hi', '/cost', '/budget', '/budget 800', '/budget x'], { args: BUDGET })
  expect(shown).toMatch(/This turn (usually )?costs .*at most ₦500, with \S+\.\n/)
  expect(shown).toMatch(/Cost ₦[\d.]+ · ₦[\d.]+ of ₦500 · ↑ [\d.]+ k?B ↓ [\d.]+ k?B/)
  expect(shown).toMatch(/1 {2}Hi +₦[\d.]+ +[\d,]+ +[\d.]+ k?B/)
  expect(shown).toMatch(/₦[\d.]+ of ₦800 spent, ₦79\d\.\d+ left/)
  expect(shown).toContain('The budget must be digits in NGN')
  expect(screen.status()).toMatch(/^₦[\d.]+ of ₦800 · balance ₦[\d,]+ · ↑ .* ↓ .* · auto · ask · \/help$/)
})

test('a turn that may pass the budget asks first, and cancelling sends nothing', async () => {
  desk.world.upstream.fallback(() => 'Hello.')
  screen.answer('c', 'c', 'r')
  screen.write('300')
  const shown = await session(['Hi', '/plan Hi', 'Hi again'], { args: ['--budget', '0.05'] })
  expect(shown).toContain('of the budget are left, and this turn needs at least ₦')
  expect(shown).toContain('Nothing was sent or charged.\n[draft] Hi\n')
  expect(shown).toContain('[draft] /plan Hi\n')
  expect(shown).toMatch(/Hello\.\nCost ₦[\d.]+ · ₦[\d.]+ of ₦300/)
  expect(desk.world.upstream.requests).toHaveLength(1)
})

test('without money a turn asks, and nothing is sent', async () => {
  const poor = await desk.world.customer(0n)
  screen.answer('c')
  const shown = await session(['Hi'], { args: BUDGET, env: { COWRIE_API_KEY: poor.bearer } })
  expect(shown).toContain('Your balance is ₦0, which is too little for this turn. Top up with')
  expect(shown).not.toContain('use the open models')
  expect(desk.world.upstream.requests).toEqual([])
})

test('a plan changes nothing and is carried out after a question', async () => {
  desk.world.upstream.fallback(byStep('Use a plus.', calls([...FIX]), 'Done.'))
  screen.answer('e')
  const shown = await session(['/plan', 'Fix add()'], { args: BUDGET })
  expect(shown).toContain('Carry out this plan?')
  expect(shown).toContain('M src/add.js  +1 -1')
  expect(desk.text('src/add.js')).toContain('a + b')
})

test('a question says what happens to the file', async () => {
  desk.world.upstream.fallback(
    byStep(
      calls(['create', { path: 'b.js', content: 'b\n' }]),
      calls(['delete', { path: 'src/add.js' }]),
      'Done.',
    ),
  )
  screen.answer('y', 'n')
  const shown = await session(['Tidy'], { args: BUDGET })
  expect(shown).toContain('Create b.js?')
  expect(shown).toContain('Delete src/add.js?')
  expect(desk.text('src/add.js')).toBe(BROKEN)
})

test('/undo, /revert and /diff work on the changes of the session', async () => {
  desk.world.upstream.fallback(
    byStep(calls([...FIX]), 'One.', calls(['create', { path: 'b.js', content: 'b\n' }]), 'Two.'),
  )
  screen.answer('1')
  const args = [...BUDGET, '--approve', 'edits']
  const shown = await session(['First', 'Second', '/diff', '/revert', '/diff', '/undo', '/revert 9'], {
    args,
  })
  expect(shown).toMatch(/\+ {2}return a \+ b.*A b\.js {2}\+1 -0/s)
  expect(shown).toContain('Restore the files as they were before which turn?')
  expect(shown).toMatch(/Restored .*src\/add\.js/)
  expect(shown).toMatch(/Removed .*b\.js/)
  expect(shown.match(/This session has no changes\./g)).toHaveLength(3)
  expect(desk.text('src/add.js')).toBe(BROKEN)
})

test('/model, /approve, /tasks, /help and unknown commands', async () => {
  screen.answer('3')
  const shown = await session([
    '/model',
    '/model open',
    '/model no-such',
    '/approve full',
    '/approve all',
    '/tasks',
    '/todo',
    '/mcp',
    '/help',
    '/cst',
  ])
  expect(shown).toContain('The next turns use frontier.')
  expect(shown).toContain('The next turns use open.')
  expect(shown).toContain('There is no model "no-such".')
  expect(shown).toContain('▸ full')
  expect(shown).toContain('"all" is not ask, edits or full.')
  expect(shown).toContain('/compact [message]')
  expect(shown).toContain('There is no command /cst.')
  expect(shown).not.toMatch(/cowrie: |cowrie help/)
  expect(screen.status()).toContain('· open · full ·')
})

test('a session is left with /clear, continued with /resume, and offered at the next start', async () => {
  desk.world.upstream.fallback(byStep('My name is Kobo.', 'I said Kobo.'))
  screen.answer('1')
  const shown = await session(['Who are you?', '/clear', '/resume', 'Who did you say?'], { args: BUDGET })
  expect(shown).toContain('Continuing "Who are you?".')
  expect(shown).toContain('I said Kobo.')
  const later = await session([])
  expect(later).toContain('"/resume" continues "Who are you?".')
})

test('sessions of another account or service, and those without a message, are not offered', async () => {
  desk.world.upstream.fallback(() => 'Hello.')
  await session(['Of Ada'], { args: BUDGET })
  const env = { COWRIE_API_KEY: (await desk.world.customer()).bearer }
  expect(await session(['/resume'], { env })).toContain('There are no other sessions of this folder.')
  const resumed = await session(['/resume'], { args: ['resume'], env })
  expect(resumed).toContain('There is no earlier session of this folder.')
  expect(resumed).toContain('There are no other sessions of this folder.')
  expect(resumed).not.toMatch(/session_gone|Of Ada/)
  expect(
    await session([], { env: { COWRIE_URL: desk.url.replace('127.0.0.1', 'localhost') } }),
  ).not.toContain('Of Ada')
  screen.answer('c')
  await session(['Too dear'], { args: ['--budget', '0.05'], env })
  expect(await session(['/tasks'], { env })).toContain('You have no tasks.')
})

test('/compact replaces the conversation before the next turn', async () => {
  desk.world.upstream.fallback(() => 'An answer about elephants.')
  await session(['Tell me about elephants.', '/compact', 'And now?'], { args: BUDGET })
  const requests = desk.world.upstream.requests.map(({ body }) => JSON.stringify(body))
  expect(requests.length).toBeGreaterThan(2)
  expect(requests.at(-1)).not.toContain('"role":"assistant","content":"An answer about elephants."')
})

test('the output of a command of the user goes with the next message if they agree, without secrets', async () => {
  desk.world.upstream.fallback(() => 'I see.')
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
  screen.answer('y')
  const shown = await session([`!echo kobo-${'output'} ${secret}; exit 3`, 'What happened?'], {
    args: BUDGET,
  })
  expect(shown).toContain('(exit 3)')
  expect(sentToModel()).toContain('kobo-output')
  expect(sentToModel()).not.toContain(secret)
})

test('/pr commits the changes to a branch, pushes it, and prints where to open the pull request', async () => {
  const remote = mkdtempSync(join(tmpdir(), 'cowrie-remote-'))
  execFileSync('git', ['init', '-q', '--bare', remote])
  desk.repo.git('remote', 'add', 'origin', remote)
  const bin = mkdtempSync(join(tmpdir(), 'cowrie-bin-'))
  writeFileSync(
    join(bin, 'gh'),
    '#!/bin/sh\necho "$@" > "$0.args"\necho https://github.example/ada/kobo/pull/7\n',
  )
  chmodSync(join(bin, 'gh'), 0o755)
  desk.world.upstream.fallback(
    byStep(calls([...FIX], ['create', { path: 'new.js', content: 'n\n' }]), 'Done.'),
  )
  screen.answer('y')
  const author = {
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'a@b.c',
  }
  writeFileSync(join(desk.repo.root, 'mine.txt'), 'not part of it\n')
  const shown = await session(['Make add() add', '/pr'], {
    args: [...BUDGET, '--approve', 'edits'],
    env: { ...author, PATH: `${bin}:${process.env.PATH}` },
  })
  expect(shown).toContain('Commit 2 files to cowrie/make-add-add and push it to origin?')
  expect(shown).toContain('https://github.example/ada/kobo/pull/7')
  const pushed = execFileSync('git', [
    '--git-dir',
    remote,
    'show',
    '--stat',
    '--format=%s',
    'cowrie/make-add-add',
  ])
  expect(String(pushed)).toMatch(/^Make add\(\) add\n.*new\.js.*src\/add\.js/s)
  expect(desk.repo.git('status', '--porcelain')).toBe('?? mine.txt\n')
  rmSync(remote, { recursive: true })
  rmSync(bin, { recursive: true })
})

test('/web follows turns that are started elsewhere, on the files of this computer', async () => {
  desk.world.upstream.fallback(byStep('Ready.', calls([...FIX]), 'Fixed from the phone.'))
  const running = session(['Hi', '/web'], { args: [...BUDGET, '--approve', 'edits'] })
  const shows = (words: RegExp) =>
    vi.waitFor(() => expect(screen.shown.join('\n')).toMatch(words), { timeout: 20_000, interval: 50 })
  await shows(/\/app\/tasks\/(tsk_\w+)/)
  const [, taskId = ''] = /\/app\/tasks\/(tsk_\w+)/.exec(screen.shown.join('\n')) ?? []
  await desk.world.start(desk.ada, taskId, { prompt: 'Fix add() please.' })
  await shows(/From another device:\n> Fix add\(\) please\.\n.*Fixed from the phone\..*Cost/s)
  screen.escape()
  await running
  expect(desk.text('src/add.js')).toContain('a + b')
})

const MCP_SERVER = `
process.stdin.setEncoding('utf8')
let rest = ''
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop()
  for (const { id, method, params } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    if (method === 'initialize')
      answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'rates', version: '1' } })
    else if (method === 'tools/list')
      answer(id, { tools: [{ name: 'rate', description: 'A rate.', inputSchema: { type: 'object', properties: {} } }] })
    else if (method === 'tools/call') answer(id, { content: [{ type: 'text', text: 'The rate is 1,612.' }] })
    else if (id !== undefined) answer(id, {})
  }
})
`

test('MCP servers, hooks and the to-do list are part of a session; those of the repository only after a question', async () => {
  const config = join(desk.home, '.config', 'cowrie')
  mkdirSync(config, { recursive: true })
  mkdirSync(join(desk.repo.root, '.cowrie'))
  writeFileSync(join(desk.home, 'mcp.mjs'), MCP_SERVER)
  const server = { command: process.execPath, args: [join(desk.home, 'mcp.mjs')] }
  writeFileSync(join(config, 'mcp.json'), JSON.stringify({ mcpServers: { rates: server } }))
  writeFileSync(join(desk.repo.root, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: server } }))
  const hooks = {
    before_edit: { command: 'echo "no edits of add.js" >&2; exit 2', match: '*.js' },
    after_turn: { command: `echo turn >> ${join(desk.home, 'turns')}` },
  }
  writeFileSync(join(config, 'hooks.json'), JSON.stringify({ hooks }))
  let rate = ''
  desk.world.upstream.fallback((request) => {
    const { tools = [] } = request.body as { tools?: { function: { name: string } }[] }
    rate = tools.map((tool) => tool.function.name).find((name) => name.includes('rate')) ?? ''
    return byStep(
      calls([rate, {}], ['todo', { todos: [{ text: 'Look up the rate', state: 'done' }] }]),
      calls([...FIX]),
      'Done.',
    )(request)
  })
  screen.answer('n', 'y')
  const shown = await session(['What is the rate?', '/mcp', '/todo'], {
    args: [...BUDGET, '--approve', 'edits'],
  })
  expect(shown).toContain('This repository wants to start an MCP server (.mcp.json).')
  expect(shown).toContain('The MCP servers of .mcp.json are not started.')
  expect(shown).toContain(`Use the tool ${rate}?`)
  expect(shown).toMatch(/MCP server rates/)
  expect(shown).not.toMatch(/MCP server theirs/)
  expect(shown).toContain('☑ Look up the rate')
  expect(shown).toContain('stopped by a hook: no edits of add.js')
  expect(sentToModel()).toContain('The rate is 1,612.')
  expect(desk.text('src/add.js')).toBe(BROKEN)
  expect(readFileSync(join(desk.home, 'turns'), 'utf8')).toBe('turn\n')
})
