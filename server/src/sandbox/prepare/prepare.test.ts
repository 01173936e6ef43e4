import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type FakeNpmRegistry,
  PUBLIC_REGISTRY_HOST,
  startFakeNpmRegistry,
} from '@cowrie/testkit/fakes/npm-registry.ts'
import { startFakePythonIndex } from '@cowrie/testkit/fakes/python-index.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { PrepareWorld, toTree } from '@cowrie/testkit/sandbox/prepare-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runLocally } from '../local/local.ts'
import { findLocalTools } from '../local/local-tools.ts'
import { prepareDependencies, removeDependencies, runCommand } from '../sandbox.ts'
import { buildLayer } from './build.ts'
import { lockBuild } from './build-lock.ts'
import { detectPrepare } from './detect.ts'
import { DEFAULT_QUOTAS, layerFolders } from './layer-store.ts'

const hasTools = hasSandbox && existsSync('/usr/bin/npm')
const hasPip = hasTools && spawnSync('/usr/bin/python3', ['-m', 'pip', '--version']).status === 0

if (hasTools) describe('dependencies', { timeout: 120_000 }, testDependencies)
else
  test('dependencies are not tested on this machine', () =>
    reportNotRun('sandbox/prepare (it needs npm too)'))

const signal = new AbortController().signal

function testDependencies(): void {
  let world: PrepareWorld
  let registry: FakeNpmRegistry
  beforeAll(async () => {
    registry = await startFakeNpmRegistry([
      { name: 'adder', files: { 'index.js': 'exports.add = (a, b) => a + b' } },
      { name: 'doubler', files: { 'index.js': 'exports.double = (a) => a * 2' } },
    ])
    world = new PrepareWorld(`npm=${registry.url}`)
  })
  afterAll(async () => {
    await registry.close()
    world.close()
  })
  const expectNothingLeft = () => expect([world.names('building'), world.names('trash')]).toEqual([[], []])

  test('are installed once for all callers of an organisation, and tests run on them without a network', async () => {
    const files = registry.projectFiles().set('test.js', TEST)
    const [first, second] = await Promise.all([world.prepare(files), world.prepare(files)])
    expect(first).toMatchObject({ state: 'ready', tool: 'npm', isCached: false, refused: [] })
    expect(second).toMatchObject({ state: 'ready' })
    const tarballs = () => registry.requests.filter((path) => path.endsWith('.tgz')).length
    expect(tarballs()).toBe(2)
    const ready = await world.prepareReady(registry.projectFiles().set('test.js', 'changed'))
    expect(ready).toMatchObject({ isCached: true, lockfiles: ['package-lock.json', 'package.json'] })
    expect(tarballs()).toBe(2)
    expectNothingLeft()

    const run = (command: string) => world.run(files, ready, command)
    expect(await run(`node test.js ${registry.port}`)).toMatchObject({
      outcome: 'exited',
      output: '3 8 ECONNREFUSED\n',
    })
    // A run changes only its own view.
    const damage =
      'echo broken > node_modules/adder/index.js; touch node_modules/.cache/x node_modules/y; echo done'
    expect(await run(damage)).toMatchObject({ output: 'done\n' })
    expect(
      await run('cat node_modules/adder/index.js; ls -A node_modules/.cache; ls node_modules'),
    ).toMatchObject({
      output: 'exports.add = (a, b) => a + badder\ndoubler\n',
    })
    // Without overlays, only the cache can be written.
    const tools = await findLocalTools()
    if ('missing' in tools) throw new Error(tools.missing)
    const plain = await runLocally(tools, {
      tree: toTree(new Map(files).set('node_modules/committed.js', '')),
      layer: ready.layer,
      signal,
      command: `node test.js ${registry.port}; ${damage}`,
    })
    expect(plain.output).toMatch(/^3 8 ECONNREFUSED\n/)
    expect(plain.output.match(/Read-only file system/g)).toHaveLength(2)

    const other = await world.prepareReady(files, { orgId: 'org_b' })
    expect(other.isCached).toBe(false)
    expect(other.layer.folder).not.toBe(ready.layer.folder)
    expect(tarballs()).toBe(4)
    await removeDependencies(world.app(), 'org_b')
    expect([existsSync(other.layer.folder), existsSync(ready.layer.folder)]).toEqual([false, true])
  })

  test('do not come from scripts of the project, which could spoil them for other projects', async () => {
    const scripts = { postinstall: 'node setup.js', prepare: 'node -e "process.exit(7)"' }
    const files = registry.projectFiles({ scripts })
    const attack = `require('fs').writeFileSync('node_modules/adder/index.js', 'exports.add = () => 3')`
    files.set('setup.js', attack).set('fixtures/node_modules/own/index.js', 'exports.own = 1')
    const ready = await world.prepareReady(files)
    const command = 'cat node_modules/adder/index.js; node -p "require(\'./fixtures/node_modules/own\').own"'
    expect(await world.run(files, ready, command)).toMatchObject({
      output: 'exports.add = (a, b) => a + b1\n',
    })
    expect(ready.layer.projectPaths).toEqual(['node_modules'])
    expect(await world.prepare(new Map(files).set('setup.js', ''))).toMatchObject({ isCached: true })
  })

  test('do not cover packages that a repository has committed', async () => {
    const folder = join(world.dataDir, 'repository')
    const files = registry.projectFiles().set('node_modules/own/index.js', 'exports.own = 1')
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const tree = { folder, files: new Map(), deleted: new Set<string>() }
    const prepared = await prepareDependencies(world.app(), { orgId: 'org_a', tree, signal })
    if (prepared.state !== 'ready') throw new Error(JSON.stringify(prepared))
    const command = `node -p "require('own').own + require('adder').add(1, 1)"`
    const input = { kind: 'local', owner: 'org_a', tree, layer: prepared.layer, command, signal } as const
    expect(await runCommand(world.app(), input)).toMatchObject({ output: '3\n' })
  })

  soakTest(
    'whose registry is down, broken or not allowed are not stored, and the reason is named',
    async () => {
      const files = registry.projectFiles({ description: 'of a bad day' })
      registry.isBroken = true
      expect(await world.prepare(files)).toMatchObject({
        state: 'failed',
        tool: 'npm',
        reason: 'registry_unreachable',
      })
      registry.isBroken = false
      if (isSoak)
        expect(await world.prepare(files, { registries: 'npm=http://127.0.0.1:1' })).toMatchObject({
          reason: 'registry_unreachable',
          output: expect.stringContaining('127.0.0.1:1'),
        })
      expect(await world.prepare(files, { registries: 'pip=https://pypi.example' })).toMatchObject({
        reason: 'registry_not_allowed',
        refused: [`${PUBLIC_REGISTRY_HOST}:443: not in SERVICE_SANDBOX_REGISTRIES`],
      })
      expect(await world.prepare(files, { registries: 'off' })).toEqual({ state: 'none' })
      // The next call tries again.
      expect(await world.prepare(files)).toMatchObject({ state: 'ready', isCached: false })
      expectNothingLeft()
    },
  )

  soakTest('that take too much space or time are stopped, and nothing is stored', async () => {
    const build = (
      command: string,
      options: { layerBytes: number; wallClockMs?: number; freeBytes?: number },
    ) => {
      const { layerBytes, freeBytes = DEFAULT_QUOTAS.freeBytes, ...rest } = options
      const quotas = { ...DEFAULT_QUOTAS, layerBytes, freeBytes }
      return world.prepare(registry.projectFiles(), { command, quotas, ...rest })
    }
    const fill = 'for i in 1 2 3 4 5 6 7 8 9; do head -c 8M /dev/zero > node_modules_$i; done; sleep 60'
    expect(await build(fill, { layerBytes: 16 << 20 })).toMatchObject({ reason: 'too_large' })
    const large = 'mkdir node_modules; head -c 3M /dev/urandom > node_modules/x'
    expect(await build(large, { layerBytes: 2 << 20 })).toMatchObject({ reason: 'too_large' })
    expect(await build('sleep 60', { layerBytes: 1 << 20, wallClockMs: 2_000 })).toMatchObject({
      reason: 'timed_out',
    })
    expect(await build('echo sorry; exit 3', { layerBytes: 1 << 20 })).toMatchObject({
      reason: 'command_failed',
      output: 'sorry\n',
    })
    // A full disk is our problem.
    expect(await build('sleep 60', { layerBytes: 1 << 20, freeBytes: 2 ** 52 })).toMatchObject({
      reason: 'no_sandbox',
      output: expect.stringContaining('almost full'),
    })
    expectNothingLeft()
  })

  test('that need a missing tool say which', async () => {
    const tree = toTree(registry.projectFiles())
    const plan = await detectPrepare(tree)
    const tools = await findLocalTools()
    if ('missing' in tools || plan === null) throw new Error('no tools')
    const folders = layerFolders(world.dataDir)
    const lock = await lockBuild(folders, 'missing', { isDone: async () => false, signal })
    const steps = plan.steps.map((step) => ({ ...step, tool: { ...step.tool, programs: ['gofer'] } }))
    const failure = await buildLayer(lock?.folder ?? '', {
      ...{ tools, folders, quotas: DEFAULT_QUOTAS, registries: [], orgId: 'org_a', id: 'x', tree, signal },
      plan: { ...plan, steps },
    })
    await lock?.release()
    expect(failure).toMatchObject({ reason: 'tool_missing', output: 'tool_missing: gofer\n' })
  })

  soakTest('stop with the last caller that waits for them', async () => {
    const stop = new AbortController()
    const tree = toTree(registry.projectFiles())
    const going = prepareDependencies(world.app(), {
      ...{ orgId: 'org_a', tree, command: 'sleep 61', signal: stop.signal },
    })
    await expect.poll(() => world.names('building'), { timeout: 30_000 }).toHaveLength(1)
    stop.abort()
    expect(await going).toMatchObject({ reason: 'timed_out' })
    await expect.poll(() => world.names('building'), { timeout: 30_000 }).toEqual([])
  })

  if (hasPip)
    test('of Python are installed from an index and work without it', async () => {
      const index = await startFakePythonIndex({ adder: 'def add(a, b):\n    return a + b\n' })
      const files = { 'requirements.txt': 'adder==1.0.0\n' }
      const ready = await world.prepareReady(files, { registries: `pip=${index.url}` })
      await index.close()
      expect(ready.tool).toBe('pip')
      const run = await world.run(files, ready, 'python3 -c "import adder; print(adder.add(1, 2))"')
      expect(run).toMatchObject({ outcome: 'exited', output: '3\n' })
    })
  else
    test('of Python are not tested on this machine', () => reportNotRun('sandbox/prepare (python3 with pip)'))
}

const TEST = `
const { add } = require('adder')
const { double } = require('doubler')
require('node:net').connect(Number(process.argv[2]), '127.0.0.1').on('error', (error) => console.log(add(1, 2), double(4), error.code))
`
