// Turns on a project with packages from a registry.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type FakeNpmRegistry, startFakeNpmRegistry } from '@cowrie/testkit/fakes/npm-registry.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { byStep, calls, resultsIn, startTaskWorld, type TaskWorld } from '@cowrie/testkit/tasks/world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

if (hasSandbox && existsSync('/usr/bin/npm'))
  describe('a turn on a project with a package', { timeout: 120_000 }, testTurns)
else
  test('turns on projects with packages are not tested on this machine', () =>
    reportNotRun('tasks/e2e/dependencies (it needs npm too)'))

const TEST = `import test from 'node:test'
import assert from 'node:assert'
import { total } from './total.mjs'
test('adds', () => assert.equal(total(2, 3), 5))
`
const FIX = ['edit', { path: 'total.mjs', edits: [{ find: 'add(a, -b)', replace: 'add(a, b)' }] }] as const
const AGAIN = ['edit', { path: 'total.mjs', edits: [{ find: 'add(a, b)', replace: 'add(b, a)' }] }] as const

function testTurns(): void {
  let world: TaskWorld
  let registry: FakeNpmRegistry
  let ada: Person
  beforeAll(async () => {
    registry = await startFakeNpmRegistry([
      { name: 'adder', files: { 'index.js': 'exports.add = (a, b) => a + b // the text of a package' } },
    ])
    const variables = { SERVICE_SANDBOX_LOCAL: 'on', SERVICE_SANDBOX_REGISTRIES: `npm=${registry.url}` }
    world = await startTaskWorld({ variables })
    // One customer, so that the second test uses the packages of the first.
    ada = await world.customer()
  })
  afterAll(async () => {
    await world.close()
    await registry.close()
  })
  beforeEach(() => world.upstream.reset())
  const project = () => ({
    ...Object.fromEntries(registry.projectFiles({ type: 'module', scripts: { test: 'node --test' } })),
    'total.mjs': `import { add } from 'adder'\nexport const total = (a, b) => add(a, -b)\n`,
    'total.test.mjs': TEST,
  })

  soakTest(
    'is unverified while the registry is down, costs its model calls only, and the next turn tries again',
    async () => {
      registry.isBroken = true
      world.upstream.fallback(byStep(calls([...FIX]), 'Fixed.', calls([...AGAIN]), 'Turned round.'))
      const task = await world.create(ada, project())
      const first = await world.turn(ada, task)
      expect(first).toMatchObject({
        stopReason: 'completed',
        verified: false,
        verification: {
          reason: 'dependencies_failed',
          dependencies: { state: 'failed', tool: 'npm', reason: 'registry_unreachable' },
        },
      })
      // The failed installation is not shown to the model as a failure of its edit.
      expect(world.upstream.requests).toHaveLength(2)
      const { sum } = await world.server.sql.one<{ sum: bigint }>`
      select coalesce(sum(charged_minor), 0)::bigint as sum from holds where org_id = ${ada.orgId}`
      expect(first.spentMinor).toBe(sum)

      registry.isBroken = false
      const second = await world.turn(ada, task)
      expect(second.verification).toMatchObject({
        reason: 'passed_before',
        dependencies: { state: 'ready', tool: 'npm', isCached: false },
      })
    },
  )

  test('runs commands on the packages, whose changes end with the command, and does not list them', async () => {
    const damage = 'echo broken >node_modules/adder/index.js; mkdir -p node_modules/.cache/x .venv target'
    const look =
      'cat node_modules/adder/index.js; ls -A . node_modules/.cache; npm test 2>&1 | grep "^# pass\\|pass 1"'
    world.upstream.fallback(
      byStep(
        calls([...FIX]),
        calls(['run', { command: `${damage} && echo written` }]),
        calls(['run', { command: look }]),
        calls(
          ['list', { depth: 5 }],
          ['search', { query: 'the text of a package' }],
          ['read', { path: 'node_modules/adder/index.js' }],
        ),
        'Done.',
      ),
    )
    const task = await world.create(ada, project())
    const turn = await world.turn(ada, task)
    const [, written = '', seen = '', listed = '', found = '', read = ''] = resultsIn(
      world.upstream.requests.at(-1) as never,
    )
    expect(written).toContain('written')
    expect(seen).toContain('exports.add = (a, b) => a + b')
    expect(seen).toMatch(/pass 1/)
    expect(seen).not.toMatch(/broken|\.venv|target/)
    expect(`${listed}${found}`).not.toMatch(/adder|node_modules\//)
    expect(read).not.toContain('exports.add')
    expect(turn).toMatchObject({ verified: true, verification: { reason: 'failed_before_passes_now' } })
    const { body } = await world.server.call<{ files: { path: string }[] }>('GET', `/tasks/${task}/diff`, {
      as: ada,
    })
    expect(body.files.map(({ path }) => path)).toEqual(['total.mjs'])

    // The packages go with the organisation.
    const { app } = world.server
    const layers = join(app.config.dataDir, 'sandbox/layers', ada.orgId)
    expect(existsSync(layers)).toBe(true)
    for (const data of app.tenantData) await data.erase?.(app, ada.orgId)
    expect(existsSync(layers)).toBe(false)
  })
}
