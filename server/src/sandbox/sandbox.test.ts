import { type FakeDocker, startFakeDocker } from '@cowrie/testkit/fakes/docker.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { hasSandbox } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../platform/app.ts'
import { requireSandbox, runCommand, runnableSandboxes } from './sandbox.ts'

const HERE = hasSandbox ? (['local'] as const) : []

let server: TestServer
let engine: FakeDocker
beforeAll(async () => {
  engine = await startFakeDocker({ image: 'tests:1' })
  server = await startTestServer({
    variables: { DOCKER_HOST: engine.host, SERVICE_SANDBOX_DOCKER_IMAGE: 'tests:1' },
  })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

/** The same service with other settings. */
const withSandbox = (sandbox: App['config']['sandbox']): App => ({
  ...server.app,
  config: { ...server.app.config, sandbox },
})
const signal = new AbortController().signal

test('sandboxes that pass the self-test are available, and `none` always is', async () => {
  expect(await runnableSandboxes(server.app)).toEqual(['none', ...HERE, 'docker'])
})

test('a disabled sandbox is rejected by name and runs nothing', async () => {
  const app = withSandbox({ local: false, docker: null })
  expect(await runnableSandboxes(app)).toEqual(['none', 'docker'])
  await expect(requireSandbox(app, 'local')).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    status: 400,
    detail: { sandboxes: ['none', 'docker'] },
  })
  await requireSandbox(app, 'none')
  await requireSandbox(app, 'docker')
  const run = await runCommand(app, {
    kind: 'local',
    owner: 'a',
    files: new Map(),
    command: 'echo ran',
    signal,
  })
  expect(run).toMatchObject({
    outcome: 'failed',
    output: '',
    reason: expect.stringContaining('switched off'),
  })
})

test('a run without a sandbox probes none', async () => {
  const app = withSandbox({ local: false, docker: null })
  const before = engine.calls.length
  await requireSandbox(app, 'none')
  expect(engine.calls.length).toBe(before)
  await requireSandbox(app, 'docker')
  expect(engine.calls.length).toBeGreaterThan(before)
})

test('a probe result is cached for a minute', async () => {
  const app = withSandbox({ local: false, docker: null })
  expect(await runnableSandboxes(app)).toEqual(['none', 'docker'])
  engine.isBroken = true
  expect(await runnableSandboxes(app)).toEqual(['none', 'docker'])
  server.clock.advance({ minutes: 1 })
  expect(await runnableSandboxes(app)).toEqual(['none'])
  engine.isBroken = false
  server.clock.advance({ minutes: 1 })
  expect(await runnableSandboxes(app)).toEqual(['none', 'docker'])
})

test('an enabled sandbox that does not work is logged', async () => {
  engine.isBroken = true
  const before = server.logged.length
  expect(await runnableSandboxes(withSandbox({ local: false, docker: true }))).toEqual(['none'])
  engine.isBroken = false
  expect(server.logged.slice(before).join('\n')).toContain('agent.sandbox.unusable')
})

describe('concurrent runs', () => {
  let app: App
  beforeAll(() => {
    app = withSandbox({ local: false, docker: null })
  })
  const start = (command: string, options: { owner?: string; signal?: AbortSignal } = {}) =>
    runCommand(app, { kind: 'docker', owner: 'a', files: new Map(), command, signal, ...options })

  test('are at most four in total and two per organisation; others wait, and an aborted wait gets no slot', async () => {
    engine.hold('long')
    const given = new AbortController()
    const runs = Array.from({ length: 6 }, (_, i) => start('long', { owner: `${i % 3}` }))
    runs.push(start('long', { owner: 'd' }))
    await expect.poll(() => engine.running()).toBe(4)
    const abandoned = start('long', { signal: given.signal })
    given.abort()
    expect(await abandoned).toMatchObject({ outcome: 'cancelled' })
    expect(engine.running()).toBe(4)
    engine.release('long')
    expect((await Promise.all(runs)).map((run) => run.outcome)).toEqual(Array(7).fill('exited'))
    expect(engine.maxConcurrent()).toBe(4)
  })
})
