// Loops against the real service: progress output, stopping, and recovery after a broken connection.

import {
  answer,
  change,
  type LoopTestServer,
  readBooks,
  SHELL,
  slowAnswer,
  startLoopServer,
} from '@cowrie/testkit/agent/loop.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Result } from '../src/results/result.ts'
import { readResult } from '../src/results/store.ts'
import { findPaths } from '../src/system/paths.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { type DroppingProxy, startDroppingProxy } from './dropping-proxy.ts'
import { openTerminal } from './pty.ts'
import { makeRepository, type TestRepository } from './repository.ts'

let loops: LoopTestServer
let line: DroppingProxy
let ada: Person
let repo: TestRepository
beforeAll(async () => {
  loops = await startLoopServer()
  line = await startDroppingProxy(loops.address)
})
afterAll(async () => {
  await line.close()
  await loops.close()
})
beforeEach(async () => {
  ada = await loops.customer()
  repo = makeRepository(Object.fromEntries(SHELL.context.map(({ path, content }) => [path, content])))
})
afterEach(() => {
  repo.remove()
  loops.upstream.reset()
})

const POOR = change('word.txt', 'bad', 'poor')
const GOOD = change('word.txt', 'poor', 'good')
const LINE = ['run', '--loop', '--test', SHELL.testCmd, SHELL.prompt, '--yes', '-f', '.']
const env = () => ({
  COWRIE_URL: line.url,
  COWRIE_API_KEY: ada.bearer,
  HOME: repo.root,
  PATH: process.env.PATH ?? '',
})
const cli = (args: string[], { machine, ...options }: CommandOptions = {}): Promise<CommandResult> =>
  cowrie(args, { ...options, env: env(), machine: { cwd: repo.root, ...machine } })
const last = (): Promise<Result> => readResult(findPaths({ HOME: repo.root }, repo.root, undefined), 'last')
const books = () => readBooks(loops.server, ada.orgId)
/** The turn continues only after the service has noticed the disconnect. */
async function untilNoticed(): Promise<void> {
  const { idempotencyKey: key } = await last()
  await expect
    .poll(
      async () =>
        loops.server.sql.rows`select id from idempotency_keys where key = ${key} and detached_at is not null`,
      { timeout: scaledTimeout(15_000) },
    )
    .toHaveLength(1)
}

describe('a loop', () => {
  test('prints each step with its cost, and exits with 0 when its test passes', async () => {
    loops.upstream.script(answer(POOR), answer(GOOD))
    const { code, stdout, stderr } = await cli(LINE)
    const { charged } = await books()
    expect(stderr).toMatch(/^verify before the first · failed · .*₦0\.00 of at most ₦\d+\.\d\d$/m)
    expect(stderr).toMatch(/^plan 1\/3 · ok · ₦\d+\.\d\d of at most ₦\d+\.\d\d$/m)
    expect(stderr).toMatch(/^edit 2\/3 · ok · word\.txt · ₦\d+\.\d\d of at most/m)
    expect(stderr).toMatch(/^verify 2\/3 · ok · /m)
    expect(stderr).not.toContain('1. Look.')
    expect(stdout).toContain('verified  The tests pass.\n')
    expect(code).toBe(0)
    expect(await last()).toMatchObject({
      kind: 'loop',
      state: 'done',
      verified: true,
      reason: 'verified',
      costMinor: charged,
      edits: [{ path: 'word.txt', content: 'good\n' }],
    })
  })

  soakTest('with a failing test exits with 10, and its edits are stored', async () => {
    loops.upstream.script(answer(POOR))
    const { code, stdout } = await cli(['loop', ...LINE.slice(2), '--max-iters', '1'])
    expect(code).toBe(10)
    expect(stdout).toContain('not verified  It reached the maximum number of iterations.\n')
    expect(await last()).toMatchObject({ verified: false, edits: [{ content: 'poor\n' }] })
  })

  soakTest('is printed as JSON lines with --json, and model output is included with --verbose', async () => {
    loops.upstream.script(answer(POOR), answer(POOR))
    const line = [...LINE, '--max-iters', '1']
    const frames = (await cli([...line, '--json'])).stdout
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text))
    expect(frames[0]).toMatchObject({ start: { sandbox: 'local', maxIters: 1 } })
    expect(frames.some((frame) => 'delta' in frame)).toBe(false)
    expect(frames.at(-1)).toMatchObject({ kind: 'loop', verified: false, edits: [{ path: 'word.txt' }] })
    expect((await cli([...line, '--verbose'])).stderr).toContain('1. Look.\n')
  })

  test('needs a test command', async () => {
    const { code, stderr } = await cli(['loop', 'x', '--yes'])
    expect(code).toBe(64)
    expect(stderr).toContain('--test "npm test"')
  })
})

describe('a stopped loop', () => {
  soakTest(
    'with Ctrl-C ends after its step, stores its result, prints the cost and exits with 2',
    async () => {
      const wait = gate()
      loops.upstream.script(slowAnswer(wait.opened, POOR))
      const terminal = openTerminal(LINE, { env: env(), cwd: repo.root, columns: 90 })
      await terminal.until(
        /plan 1\/3 · \d+ s · ₦0\.00 of at most ₦\d+\.\d\d \(Ctrl-C stops after this step\)/,
      )
      await expect.poll(() => loops.upstream.requests.length, { timeout: scaledTimeout(15_000) }).toBe(1)
      terminal.press('\x03')
      await terminal.until('Stopping after this step')
      await untilNoticed()
      wait.open()
      await terminal.until(/Cost ₦\d+\.\d\d · Balance ₦[\d,]+\.\d\d · result \w{4}/)
      expect(await terminal.ended).toBe(2)
      const { charged, count, held } = await books()
      expect({ count, held }).toEqual({ count: 1n, held: 0n })
      expect(await last()).toMatchObject({
        state: 'partial',
        reason: 'cancelled',
        costMinor: charged,
        edits: [{ path: 'word.txt', content: 'poor\n' }],
      })
    },
  )

  test('with a broken connection is found by its key and charged once', async () => {
    const wait = gate()
    loops.upstream.script(slowAnswer(wait.opened, POOR))
    line.drop('POST /agent/run-loop', { after: '1. Look.' })
    const result = { code: -1, stdout: '', stderr: '' }
    const running = cli(LINE, { result })
    await expect
      .poll(() => result.stderr, { timeout: scaledTimeout(15_000) })
      .toContain('The connection was lost')
    await untilNoticed()
    wait.open()
    expect((await running).code).toBe(10)
    expect(result.stdout).toContain('It was stopped.')
    const { charged, count } = await books()
    expect(count).toBe(1n)
    expect(await last()).toMatchObject({
      state: 'partial',
      costMinor: charged,
      edits: [{ content: 'poor\n' }],
    })
    expect(loops.upstream.requests).toHaveLength(1)
  })
})
