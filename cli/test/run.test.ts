// Runs against the real service with a fake model: output, charges and stored results.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AgentTestServer,
  answerWith,
  createFundedPerson,
  fixingAnswer,
  listDebits,
  startAgentServer,
  USAGE,
  update,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Result } from '../src/results/result.ts'
import { readResult, readResults } from '../src/results/store.ts'
import { findPaths } from '../src/system/paths.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { openTerminal } from './pty.ts'
import { makeRepository, type TestRepository } from './repository.ts'

let stage: AgentTestServer
let url: string
let ada: Person
let repo: TestRepository
beforeAll(async () => {
  stage = await startAgentServer()
  url = await stage.server.listen()
})
afterAll(() => stage.close())
beforeEach(async () => {
  ada = await createFundedPerson(stage.server, 1_000_000n)
  repo = makeRepository({
    'src/add.js': 'export function add(a, b) {\n  return a - b\n}\n',
    'package.json': '{"name":"sums"}\n',
  })
})
afterEach(() => {
  repo.remove()
  stage.upstream.reset()
})

const PROMPT = 'Make add() add.'
const cli = (args: string[], { env, machine, ...options }: CommandOptions = {}): Promise<CommandResult> =>
  cowrie(args, {
    ...options,
    env: {
      COWRIE_URL: url,
      COWRIE_API_KEY: ada.bearer,
      HOME: repo.root,
      PATH: process.env.PATH ?? '',
      ...env,
    },
    machine: { cwd: repo.root, ...machine },
  })
const paths = () => findPaths({ HOME: repo.root }, repo.root, undefined)
const last = (): Promise<Result> => readResult(paths(), 'last')
const bodyAsked = (request = 0) => JSON.stringify(stage.upstream.requests[request]?.body)
const typing = (...lines: string[]) => ({
  isStdinTerminal: true,
  stdin: async function* () {
    yield lines.map((line) => `${line}\n`).join('')
  },
})

describe('cowrie quote', () => {
  test('prints the maximum cost of a run and charges nothing', async () => {
    const { code, stdout, stderr } = await cli(['quote', PROMPT, '-f', 'src/add.js'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Sending 1 file, 45 characters.\n' })
    expect(stdout).toMatch(/Costs {2}at most ₦\d+\.\d\d\n +at least ₦\d+\.\d\d\nLane {3}open \(small-1\)\n/)
    expect(stdout).toContain('You    can spend ₦10,000.00 of ₦10,000.00\n✓ It can start.\n')
    expect(stage.upstream.requests).toEqual([])
  })

  test('exits with 5 for insufficient funds and prints the missing amount', async () => {
    ada = await createFundedPerson(stage.server, 0n)
    const { code, stdout } = await cli(['quote', PROMPT])
    expect(code).toBe(5)
    expect(stdout).toMatch(/✗ This needs at least ₦\d+\.\d\d to start; you can spend ₦0\.00\./)
  })

  test('is one JSON value with --json', async () => {
    const { code, stdout, stderr } = await cli(['quote', PROMPT, '--json', '--lane', 'frontier'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ lane: 'frontier', affordable: true, iterations: 1 })
  })
})

describe('cowrie run', () => {
  soakTest('repeats the price in the prompt', async () => {
    const { code, stderr } = await cli(['run', PROMPT, '--quiet'], { machine: typing('n') })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Run it for at most ₦\d+\.\d\d\? \[y\/N\]/)])
  })

  test('shows the price, asks, runs, shows result and cost, and stores the result', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const { code, stdout, stderr } = await cli(['run', PROMPT, '--no-apply'], { machine: typing('y') })
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /This costs at most ₦\d+\.\d\d\. Balance ₦10,000\.00\.\nRun it for at most ₦\d+\.\d\d\? \[y\/N\]/,
    )
    const { id } = await last()
    expect(stdout).toBe(
      [
        'It is done.',
        'M src/add.js  +1 -1',
        '1 file, +1 -1',
        `Cost ₦1.09 · Balance ₦9,998.91 · result ${id}`,
        '',
      ].join('\n'),
    )
    expect(await last()).toMatchObject({
      state: 'done',
      costMinor: 109n,
      prompt: PROMPT,
      summary: 'It is done.',
      edits: [{ path: 'src/add.js', content: 'export function add(a, b) {\n  return a + b\n}\n' }],
    })
    expect((await last()).sent).toContainEqual({
      path: 'src/add.js',
      content: readFileSync(join(repo.root, 'src/add.js'), 'utf8'),
    })
    expect(await listDebits(stage, ada)).toMatchObject([{ amountMinor: 109n }])
  })

  test('sends nothing without a confirmation', async () => {
    const declined = await cli(['run', PROMPT], { machine: typing('') })
    expect(declined).toMatchObject({ code: 2, stdout: '' })
    const alone = await cli(['run', PROMPT])
    expect(alone.code).toBe(64)
    expect(alone.stderr).toContain('Use --yes to agree')
    expect(await readResults(paths())).toEqual([])
    expect(stage.upstream.requests).toEqual([])
  })

  test('is one JSON value with the edits with --json', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const { code, stdout, stderr } = await cli(['run', PROMPT, '--json', '--yes'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      id: (await last()).id,
      state: 'done',
      costMinor: 109,
      balanceMinor: 999_891,
      edits: [{ path: 'src/add.js', action: 'update' }],
    })
  })

  test('costs at most --max-cost, which is sent to the service', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const { code, stderr } = await cli(['run', PROMPT, '--yes', '--max-cost', '5', '-f', 'src'])
    expect(code).toBe(0)
    expect(stderr).toContain('at most ₦5.00, your limit')
    expect((await last()).order.maxMinor).toBe(500n)
  })

  soakTest('exits with 5 if --max-cost does not cover the minimum', async () => {
    const { code, stderr } = await cli(['run', PROMPT, '--yes', '--max-cost', '0.01'])
    expect(code).toBe(5)
    expect(stderr).toMatch(/needs at least ₦\d+\.\d\d to start; your limit is ₦0\.01\. \(max_cost_too_low\)/)
    expect(stage.upstream.requests).toEqual([])
  })

  test('with --dry-run prints price and files, and makes no paid call', async () => {
    const { code, stdout, stderr } = await cli(['run', PROMPT, '--dry-run', '--show-context'])
    expect(code).toBe(0)
    expect(stderr).toContain('  src/add.js  45 characters\n')
    expect(stdout).toContain('✓ It can start.')
    expect(await readResults(paths())).toEqual([])
    expect(stage.upstream.requests).toEqual([])
  })

  soakTest('reads its prompt, or a part of it, from stdin', async () => {
    const piped = {
      stdin: async function* () {
        yield 'Error: -1 is '
        yield new TextEncoder().encode('not 5 ₦')
      },
    }
    stage.upstream.script(fixingAnswer(), fixingAnswer())
    expect((await cli(['run', 'Repair this:', '--stdin', '--yes'], { machine: piped })).code).toBe(0)
    expect((await last()).prompt).toBe('Repair this:\n\nError: -1 is not 5 ₦')
    expect((await cli(['run', '-', '--yes'], { machine: piped })).code).toBe(0)
    expect((await last()).prompt).toBe('Error: -1 is not 5 ₦')
    expect(bodyAsked()).toContain('Error: -1 is not 5 ₦')
  })

  test('prints text in any script, without escape codes from the answer', async () => {
    stage.upstream.script(
      answerWith((m) =>
        [
          m('PLAN'),
          '1.',
          update(m, 'src/add.js', '  return a - b', '  return a + b'),
          m('SUMMARY'),
          'تم\x1b[2J الجمع',
        ].join('\n'),
      ),
    )
    const { code, stdout } = await cli(['run', 'اجعل add تجمع', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('تم [2J الجمع\n')
    expect(stdout).not.toContain('\x1b')
    expect((await last()).prompt).toBe('اجعل add تجمع')
  })

  test('that the service refuses prints the error, exits with its code, and is stored as refused', async () => {
    stage.upstream.script({ status: 500, body: {} }, { status: 500, body: {} }, { status: 500, body: {} })
    const { code, stderr } = await cli(['run', PROMPT, '--yes'])
    expect(code).toBe(7)
    expect(stderr).toMatch(/\(upstream_\w+\)/)
    expect(await last()).toMatchObject({ state: 'failed', costMinor: null })
    expect(await listDebits(stage, ada)).toEqual([])
  })

  test('with a repeated key is sent and charged once', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const line = ['run', PROMPT, '--yes', '--json', '--idempotency-key', 'mine']
    const [first, second] = [await cli(line), await cli(line)]
    expect([first.code, second.code]).toEqual([0, 0])
    expect(JSON.parse(second.stdout).id).toBe(JSON.parse(first.stdout).id)
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })
})

describe('at a terminal, cowrie run', () => {
  const env = () => ({ COWRIE_URL: url, COWRIE_API_KEY: ada.bearer, HOME: repo.root })

  test('asks before it charges, shows the elapsed time and fits forty columns', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const options = { env: env(), cwd: repo.root, columns: 40 }
    const terminal = openTerminal(['run', 'اجعل add() تجمع', '--no-apply'], options)
    await terminal.until(/Run it for at most ₦\d+\.\d\d\? \[y\/N\]/)
    terminal.press('y\r')
    await terminal.until(/Cost ₦1\.09 · Balance ₦9,998\.91/)
    expect(await terminal.ended).toBe(0)
    // The status line is cut to the width, never wrapped.
    const [live = ''] = /waiting for the answer[^\r\n\x1b]*/.exec(terminal.raw()) ?? []
    expect(live).toMatch(/^waiting for the answer · \d+ s · .*…$/)
    expect(live.length).toBeLessThan(40)
    expect((await last()).prompt).toBe('اجعل add() تجمع')
  })

  soakTest('offers to apply the result, and writes no escape codes to a dumb terminal', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const options = { env: { ...env(), TERM: 'dumb' }, cwd: repo.root }
    const terminal = openTerminal(['run', PROMPT], options)
    await terminal.until(/Run it for at most ₦\d+\.\d\d\? \[y\/N\]/)
    terminal.press('y\r')
    await terminal.until(/Cost ₦1\.09[\s\S]*apply\?/i)
    terminal.press('n\r')
    expect(await terminal.ended).toBe(0)
    expect(terminal.raw()).not.toContain('\x1b')
    expect(readFileSync(join(repo.root, 'src/add.js'), 'utf8')).toContain('a - b')
    expect(
      (await cli(['run', PROMPT, '--yes', '--idempotency-key', (await last()).idempotencyKey, '--apply']))
        .code,
    ).toBe(0)
    expect(readFileSync(join(repo.root, 'src/add.js'), 'utf8')).toContain('a + b')
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })
})

describe('the input', () => {
  test('is scanned for secrets: without a terminal the run stops and names only their lines', async () => {
    const secret = ['sk_live_', 'f3a9c1d27b', '84e605f1a2', 'c9d3b7e8f0', '1a2b4c6d8e'].join('')
    repo.write({ 'src/pay.js': `// pay\nconst key = '${secret}'\n` })
    const { code, stderr } = await cli(['run', PROMPT, '--yes', '-f', 'src'])
    expect(code).toBe(1)
    expect(stderr).toContain('src/pay.js:2 Paystack live secret key')
    expect(stderr).toContain('--allow-secrets')
    expect(stderr).not.toContain(secret.slice(8, 20))

    stage.upstream.script(fixingAnswer(), fixingAnswer())
    const skipped = await cli(['run', PROMPT, '-f', 'src', '--no-apply'], { machine: typing('s', 'y') })
    expect(skipped.code).toBe(0)
    expect((await last()).sent.map(({ path }) => path)).toEqual(['src/add.js'])
    expect(bodyAsked()).not.toContain(secret)
    expect((await cli(['run', PROMPT, '-f', 'src'], { machine: typing('a') })).code).toBe(1)
    expect((await cli(['run', PROMPT, '--yes', '-f', 'src', '--allow-secrets'])).code).toBe(0)
    expect(bodyAsked(1)).toContain(secret)
  })
})

describe('cowrie runs', () => {
  test('lists, shows and removes stored results', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    await cli(['run', PROMPT, '--yes'])
    const { id } = await last()
    const list = await cli(['runs', 'list'])
    expect(list.stdout).toMatch(
      new RegExp(`^${id}  20\\d\\d-.{11}  run   done  ₦1\\.09  Make add\\(\\) add\\.\n$`),
    )
    const show = await cli(['runs', 'show', 'last'])
    expect(show.stdout).toContain(`Cost ₦1.09 · result ${id}\n`)
    expect((await cli(['runs', 'show', id, '--diff'])).stdout).toContain(
      '\n-  return a - b\n+  return a + b\n',
    )
    expect(JSON.parse((await cli(['runs', 'show', id, '--json'])).stdout)).toMatchObject({
      id,
      state: 'done',
    })
    expect((await cli(['runs', 'rm', id])).code).toBe(0)
    expect((await cli(['runs', 'list'])).stdout).toBe('No results yet. Each repository has its own.\n')
    expect((await cli(['runs', 'show', id])).code).toBe(1)
  })
})
