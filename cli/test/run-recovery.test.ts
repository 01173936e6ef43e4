// Lost answers: the CLI asks again with the same key, and nothing is charged twice.

import {
  type AgentTestServer,
  createFundedPerson,
  fixingAnswer,
  listDebits,
  startAgentServer,
  USAGE,
} from '@cowrie/testkit/agent/run.ts'
import { gate } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { json, type ReplyWriter, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Result } from '../src/results/result.ts'
import { createResult, readResult, readResults, writeResult } from '../src/results/store.ts'
import { findPaths } from '../src/system/paths.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { type DroppingProxy, startDroppingProxy } from './dropping-proxy.ts'
import { makeRepository, type TestRepository } from './repository.ts'
import { RESULT } from './results.ts'

let stage: AgentTestServer
let line: DroppingProxy
let ada: Person
let repo: TestRepository
beforeAll(async () => {
  stage = await startAgentServer()
  line = await startDroppingProxy(await stage.server.listen())
})
afterAll(async () => {
  await line.close()
  await stage.close()
})
beforeEach(async () => {
  ada = await createFundedPerson(stage.server, 1_000_000n)
  repo = makeRepository({ 'src/add.js': 'export function add(a, b) {\n  return a - b\n}\n' })
  line.reconnect()
  line.called.length = 0
})
afterEach(() => {
  repo.remove()
  stage.upstream.reset()
})

const PROMPT = 'Make add() add.'
/** Waiting advances the clock, so that timeouts take no real time. It starts at the time of the service. */
function simulatedClock() {
  let nowMs = 0
  return {
    nowMs: () => nowMs,
    now: () => stage.server.clock.now(),
    sleep: async (ms: number) => {
      nowMs += ms
    },
  }
}
const cli = (args: string[], { machine, ...options }: CommandOptions = {}): Promise<CommandResult> =>
  cowrie(args, {
    ...options,
    env: {
      COWRIE_URL: line.url,
      COWRIE_API_KEY: ada.bearer,
      HOME: repo.root,
      PATH: process.env.PATH ?? '',
    },
    machine: { cwd: repo.root, ...simulatedClock(), ...machine },
  })
const paths = () => findPaths({ HOME: repo.root }, repo.root, undefined)
const last = (): Promise<Result> => readResult(paths(), 'last')
const runsSent = () => line.called.filter((path) => path === 'POST /agent/run').length

/** Runs the command, and its outcome is lost. */
async function loseAnswer(): Promise<string> {
  line.drop('POST /agent/run', 'whole')
  const machine = simulatedClock()
  const sleep = async (ms: number) => {
    line.disconnect()
    await machine.sleep(ms)
  }
  const { code, stderr } = await cli(['run', PROMPT, '--yes'], { machine: { ...machine, sleep } })
  const { id, state } = await last()
  expect([code, state]).toEqual([8, 'sent'])
  expect(stderr).toContain(`Check it with "cowrie runs show ${id}".`)
  line.reconnect()
  return id
}

describe('a run whose answer is lost', () => {
  test('is requested again with a message, and charged once', async () => {
    line.drop('POST /agent/run', 'whole', 'whole')
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const { code, stdout, stderr } = await cli(['run', PROMPT, '--yes'])
    expect(code).toBe(0)
    expect(stderr).toContain(
      'The connection was lost. Checking the outcome; nothing is done or charged twice.',
    )
    expect(stdout).toContain('Cost ₦1.09 · Balance ₦9,998.91')
    expect(runsSent()).toBe(3)
    expect(stage.upstream.requests).toHaveLength(1)
    expect(await listDebits(stage, ada)).toHaveLength(1)
    expect(await last()).toMatchObject({ state: 'done', costMinor: 109n })
  })

  test('and cannot be requested exits with 8; "runs show" finds it later without a second charge', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const id = await loseAnswer()
    expect((await cli(['runs', 'list'])).stdout).toContain(`${id}  `)
    const sent = runsSent()
    const found = await cli(['runs', 'show', id])
    expect(found.code).toBe(0)
    expect(found.stdout).toContain(`Cost ₦1.09 · result ${id}`)
    expect(await last()).toMatchObject({ state: 'done', edits: [{ path: 'src/add.js' }] })
    // Reading found it.
    expect(runsSent()).toBe(sent)
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })

  test('is continued by the same command, which starts a new run only after the outcome is known', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }), fixingAnswer({ usage: USAGE }))
    const id = await loseAnswer()
    expect((await cli(['run', PROMPT, '--yes', '--max-cost', '0.01'])).code).toBe(5)
    const again = await cli(['run', PROMPT, '--yes'])
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(`result ${id}`)])
    expect(again.stderr).toContain(`This was sent before as ${id}`)
    expect(await listDebits(stage, ada)).toHaveLength(1)
    expect((await cli(['run', PROMPT, '--yes'])).stderr).not.toContain('sent before')
    expect(await listDebits(stage, ada)).toHaveLength(2)
  })

  test('is requested only by the same payer, because for others it would be a new run', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const id = await loseAnswer()
    const payer = ada
    ada = await createFundedPerson(stage.server, 1_000_000n)
    for (const args of [
      ['runs', 'show', id],
      ['run', PROMPT, '--idempotency-key', (await last()).idempotencyKey],
    ])
      expect(await cli([...args, '--yes'])).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(`${id} was sent by another user.`),
      })
    expect(await listDebits(stage, ada)).toEqual([])
    ada = payer
    expect((await cli(['runs', 'show', id])).code).toBe(0)
  })

  soakTest('is not confused with a run of another repository with the same prompt', async () => {
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    const id = await loseAnswer()
    const stored = await last()
    await writeResult(paths(), { ...stored, sent: [{ path: 'other.js', content: 'x\n' }] })
    expect(await cli(['runs', 'show', id])).toMatchObject({ code: 64, stdout: '' })
    expect(await last()).toMatchObject({ state: 'sent', runId: null })
  })

  soakTest.for([
    { status: 401, code: 'unauthorized' },
    { status: 403, code: 'suspended' },
    { status: 503, code: 'not_ready' },
  ])('stays unknown after an answer of $status', async ({ status, code }) => {
    const refusing: ReplyWriter = (response, seen) => {
      if (seen.url === '/me') return json(200, { userId: 'usr_1', orgId: 'org_1' })(response, seen)
      if (seen.url.startsWith('/agent/runs')) return json(200, { runs: [] })(response, seen)
      json(status, { error: 'Not now.', code })(response, seen)
    }
    const service = await startFakeService(...Array.from({ length: 4 }, () => refusing))
    const { id: _, ...fresh } = RESULT
    const createdAt = stage.server.clock.now().toISOString()
    const sent = { ...fresh, createdAt, baseUrl: service.url, state: 'sent' as const, runId: null }
    const { id } = await createResult(paths(), sent)
    const asked = await cli(['runs', 'show', id, '--yes', '--base-url', service.url])
    expect(asked).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('Not now. The outcome of this run is not known yet'),
    })
    expect(await last()).toMatchObject({ id, state: 'sent' })
    await service.close()
  })

  soakTest('and never reached the service is sent again only after a confirmation', async () => {
    const machine = simulatedClock()
    const result = { code: -1, stdout: '', stderr: '' }
    // Everything before the paid call passes.
    const now = () => {
      line.disconnect()
      return machine.now()
    }
    await cli(['run', PROMPT, '--yes'], { machine: { ...machine, now }, result })
    expect(result.code).toBe(8)
    line.reconnect()
    const { id } = await last()
    const asked = await cli(['runs', 'show', id])
    expect(asked.code).toBe(64)
    expect(asked.stderr).toContain('Use --yes')
    expect(await listDebits(stage, ada)).toEqual([])
    stage.upstream.script(fixingAnswer({ usage: USAGE }))
    expect((await cli(['runs', 'show', id, '--yes'])).code).toBe(0)
    expect(await last()).toMatchObject({ id, state: 'done' })
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })

  soakTest('and whose key has expired is not sent again', async () => {
    stage.upstream.script(fixingAnswer())
    await cli(['run', PROMPT, '--yes'])
    const stored = await last()
    const createdAt = new Date(Date.parse(stored.createdAt) - 24 * 60 * 60_000).toISOString()
    await writeResult(paths(), { ...stored, state: 'sent', runId: null, createdAt })
    const { code, stderr } = await cli(['runs', 'show', stored.id, '--yes'])
    expect(code).toBe(1)
    expect(stderr).toContain('it did not start, and nothing was charged')
    expect(await listDebits(stage, ada)).toHaveLength(1)
  })
})

test('Ctrl-C during a run waits for its end, stores it, prints the cost and exits with 2', async () => {
  const wait = gate()
  stage.upstream.script((request) => {
    const { text = '', ...rest } = fixingAnswer({ usage: USAGE })(request)
    return { ...rest, pieces: [text.slice(0, 10), wait.opened, text.slice(10)] }
  })
  const interrupted = new AbortController()
  const result = { code: -1, stdout: '', stderr: '' }
  const running = cli(['run', PROMPT, '--yes'], { signal: interrupted.signal, result })
  await expect.poll(() => stage.upstream.requests.length, { timeout: scaledTimeout(15_000) }).toBe(1)
  interrupted.abort()
  expect(result.stderr).toContain('A run cannot be stopped half-way')
  wait.open()
  expect((await running).code).toBe(2)
  expect(result.stdout).toContain('Cost ₦1.09 · Balance ₦9,998.91')
  expect(await last()).toMatchObject({ state: 'done', edits: [{ path: 'src/add.js' }] })
})

test('Ctrl-C before the confirmation sends and stores nothing', async () => {
  const interrupted = new AbortController()
  interrupted.abort()
  const { code, stdout, stderr } = await cli(['run', PROMPT, '--yes'], { signal: interrupted.signal })
  expect({ code, stdout, stderr }).toMatchObject({ code: 2, stdout: '' })
  expect(await readResults(paths())).toEqual([])
  expect(runsSent()).toBe(0)
})
