import { existsSync } from 'node:fs'
import {
  answer,
  change,
  type LoopTestServer,
  readBooks,
  runToEnd,
  startLoopServer,
  textOf,
} from '@cowrie/testkit/agent/loop.ts'
import { type FakeNpmRegistry, startFakeNpmRegistry } from '@cowrie/testkit/fakes/npm-registry.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

if (hasSandbox && existsSync('/usr/bin/npm'))
  describe('a loop on a project with a package', { timeout: 120_000 }, testPackages)
else
  test('loops on projects with packages are not tested on this machine', () =>
    reportNotRun('agent/loop/dependencies (it needs npm too)'))

const WRONG = 'export const total = (a, b) => add(a, -b)'
const RIGHT = 'export const total = (a, b) => add(a, b)'
const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { total } from './total.mjs'
test('adds', () => assert.equal(total(2, 3), 5))
`

function testPackages(): void {
  let loops: LoopTestServer
  let registry: FakeNpmRegistry
  beforeAll(async () => {
    registry = await startFakeNpmRegistry([
      { name: 'adder', files: { 'index.js': 'exports.add = (a, b) => a + b' } },
    ])
    loops = await startLoopServer({ SERVICE_SANDBOX_REGISTRIES: `npm=${registry.url}` })
  })
  afterAll(async () => {
    await loops.close()
    await registry.close()
  })
  afterEach(() => loops.upstream.reset())

  const project = (description: string, isLocked = true) => ({
    prompt: 'Make total add.',
    context: [
      ...[...registry.projectFiles({ description })]
        .filter(([path]) => isLocked || path === 'package.json')
        .map(([path, content]) => ({ path, content })),
      { path: 'total.mjs', content: `import { add } from 'adder'\n${WRONG}\n` },
      { path: 'total.test.mjs', content: TEST },
    ],
    sandbox: 'local',
    testCmd: 'node --test',
  })

  test('installs it, so that a correct edit is verified', async () => {
    const ada = await loops.customer()
    loops.upstream.script(answer(change('total.mjs', WRONG, RIGHT)))
    const { last, steps } = await runToEnd(loops.address, ada, project('without a lockfile', false))
    expect(last).toMatchObject({ verified: true, stopReason: 'verified', tests: { passed: 1, failed: 0 } })
    expect(steps[0]).toMatchObject({ step: 'verify', turn: 0, tests: { passed: 0, failed: 1 } })
    // Before the edit, its mistake failed the test, not a missing package.
    expect(JSON.stringify(steps[0])).not.toContain('ERR_MODULE_NOT_FOUND')
  })

  soakTest('is free when the registry is down, and verified when it is back', async () => {
    const ada = await loops.customer()
    registry.isBroken = true
    const failed = await runToEnd(loops.address, ada, project('down'))
    expect(failed.last).toMatchObject({ verified: false, stopReason: 'sandbox_failed', totalCostMinor: 0n })
    expect(failed.steps.at(-1)).toMatchObject({
      note: 'The dependencies of the project are not installed (npm: registry_unreachable).',
    })
    expect(loops.upstream.requests).toEqual([])
    expect(await readBooks(loops.server, ada.orgId)).toMatchObject({ balance: 1_000_000n, held: 0n })
    registry.isBroken = false
    loops.upstream.script(answer(change('total.mjs', WRONG, RIGHT)))
    expect((await runToEnd(loops.address, ada, project('down'))).last).toMatchObject({ verified: true })
  })

  soakTest('tells the model when the project itself cannot be installed', async () => {
    const ada = await loops.customer()
    const broken = project('broken', false)
    const context = broken.context.map((file) =>
      file.path === 'package.json'
        ? { ...file, content: '{"dependencies": {"no-such-package": "1"}}' }
        : file,
    )
    loops.upstream.fallback(answer(change('total.mjs', WRONG, RIGHT)))
    const { last } = await runToEnd(loops.address, ada, { ...broken, context, maxIters: 2 })
    expect(last.verified).toBe(false)
    expect(textOf(loops.upstream.requests[1])).toContain('are not installed (npm: command_failed)')
  })
}
