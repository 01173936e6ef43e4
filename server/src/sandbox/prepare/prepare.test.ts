import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import {
  type FakeNpmRegistry,
  PUBLIC_REGISTRY_HOST,
  startFakeNpmRegistry,
} from '@cowrie/testkit/fakes/npm-registry.ts'
import { startFakePythonIndex } from '@cowrie/testkit/fakes/python-index.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../platform/app.ts'
import { parseRegistries } from '../../platform/environment/registries.ts'
import { runLocally } from '../local/local.ts'
import { findLocalTools } from '../local/local-tools.ts'
import { type PreparedDependencies, prepareDependencies, runCommand, type SandboxTree } from '../sandbox.ts'
import { buildLayer } from './build.ts'
import { lockBuild } from './build-lock.ts'
import { detectPrepare } from './detect.ts'
import { DEFAULT_QUOTAS, layerFolders } from './layer-store.ts'

const hasTools = hasSandbox && existsSync('/usr/bin/npm')
const hasPip = hasTools && spawnSync('/usr/bin/python3', ['-m', 'pip', '--version']).status === 0

if (hasTools) describe('dependencies', testDependencies)
else
  test('dependencies are not tested on this machine', () =>
    reportNotRun('sandbox/prepare (it needs npm too)'))

const signal = new AbortController().signal
const PATIENCE_MS = 120_000

function testDependencies(): void {
  let server: TestServer
  let registry: FakeNpmRegistry
  let neighbour: Server
  let neighbourPort: number
  beforeAll(async () => {
    neighbour = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => neighbour.once('listening', resolve))
    const address = neighbour.address()
    neighbourPort = typeof address === 'object' && address ? address.port : 0
    registry = await startFakeNpmRegistry([
      { name: 'adder', files: { 'index.js': 'exports.add = (a, b) => a + b' } },
      { name: 'doubler', files: { 'index.js': 'exports.double = (a) => a * 2' } },
    ])
    server = await startTestServer({
      variables: { SERVICE_SANDBOX_LOCAL: 'on', SERVICE_SANDBOX_DOCKER: 'off' },
    })
  })
  afterAll(async () => {
    neighbour.close()
    await registry.close()
    await server.close()
  })

  const withRegistries = (list: string): App => ({
    ...server.app,
    config: { ...server.app.config, sandboxRegistries: parseRegistries(list) },
  })
  const toTree = (files: ReadonlyMap<string, string>): SandboxTree => ({
    folder: null,
    files,
    deleted: new Set(),
  })
  const prepare = (tree: SandboxTree, orgId = 'org_a', list = `npm=${registry.url}`) =>
    prepareDependencies(withRegistries(list), { orgId, tree, signal })
  const isEmpty = (folder: 'building' | 'trash') => {
    const path = layerFolders(server.app.config.dataDir)[folder]
    return !existsSync(path) || readdirSync(path).length === 0
  }

  test(
    'are installed once for all callers of an organisation, and tests run on them without a network',
    async () => {
      const tree = toTree(registry.projectFiles().set('test.js', TEST))
      const [first, second] = await Promise.all([prepare(tree), prepare(tree)])
      expect(first).toMatchObject({ state: 'ready', tool: 'npm', isCached: false, refused: [] })
      expect(second).toMatchObject({ state: 'ready' })
      const tarballs = () => registry.requests.filter((path) => path.endsWith('.tgz')).length
      expect(tarballs()).toBe(2)
      const again = requireReady(await prepare(toTree(registry.projectFiles().set('test.js', 'changed'))))
      expect(again).toMatchObject({ isCached: true, lockfiles: ['package-lock.json', 'package.json'] })
      expect(tarballs()).toBe(2)
      expect(isEmpty('building') && isEmpty('trash')).toBe(true)

      const { layer } = again
      const run = (command: string) =>
        runCommand(server.app, { kind: 'local', owner: 'a', tree, layer, command, signal })
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
        tree,
        layer,
        signal,
        command: `node test.js ${registry.port}; ${damage}`,
      })
      expect(plain.output).toMatch(/^3 8 ECONNREFUSED\n/)
      expect(plain.output.match(/Read-only file system/g)).toHaveLength(2)

      const other = requireReady(await prepare(tree, 'org_b'))
      expect(other.isCached).toBe(false)
      expect(other.layer.folder).not.toBe(layer.folder)
      expect(tarballs()).toBe(4)
    },
    PATIENCE_MS,
  )

  test(
    'whose registry is down, broken or not allowed are not stored, and the reason is named',
    async () => {
      const tree = toTree(registry.projectFiles({ description: 'of a bad day' }))
      registry.isBroken = true
      expect(await prepare(tree)).toMatchObject({
        state: 'failed',
        tool: 'npm',
        reason: 'registry_unreachable',
      })
      registry.isBroken = false
      const nowhere = 'http://127.0.0.1:1'
      const down = await prepare(tree, 'org_a', `npm=${nowhere}`)
      expect(down).toMatchObject({
        reason: 'registry_unreachable',
        output: expect.stringContaining('127.0.0.1:1'),
      })
      expect(await prepare(tree, 'org_a', 'pip=https://pypi.example')).toMatchObject({
        reason: 'registry_not_allowed',
        refused: [`${PUBLIC_REGISTRY_HOST}:443: not in SERVICE_SANDBOX_REGISTRIES`],
      })
      expect(await prepare(tree, 'org_a', 'off')).toEqual({ state: 'none' })
      expect(await prepare(tree)).toMatchObject({ state: 'ready', isCached: false })
      expect(isEmpty('building')).toBe(true)
    },
    PATIENCE_MS,
  )

  test(
    'with hostile scripts stay in the sandbox, and what they tried is named',
    async () => {
      const hostile = await startFakeNpmRegistry([
        { name: 'hostile', files: { 'attack.js': ATTACK }, scripts: { postinstall: 'node attack.js' } },
      ])
      try {
        const tree = toTree(hostile.projectFiles({ config: { neighbourPort, port: hostile.port } }))
        const done = requireReady(await prepare(tree, 'org_a', `npm=${hostile.url}`))
        const { layer, refused } = done
        const command = 'cat node_modules/hostile/report.txt'
        const report = await runCommand(server.app, {
          kind: 'local',
          owner: 'a',
          tree,
          layer,
          command,
          signal,
        })
        const lines = report.output.trim().split('\n')
        expect(lines.filter((line) => !line.endsWith(': held'))).toEqual([])
        expect(lines.length).toBe(12)
        expect(refused).toEqual([
          '169.254.169.254:80: not in SERVICE_SANDBOX_REGISTRIES',
          `127.0.0.1:${neighbourPort}: not in SERVICE_SANDBOX_REGISTRIES`,
          `POST 127.0.0.1:${hostile.port}: only GET and HEAD`,
        ])
      } finally {
        await hostile.close()
      }
    },
    PATIENCE_MS,
  )

  test(
    'that take too much space or time are stopped, and nothing is stored',
    async () => {
      const build = async (command: string, options: { layerBytes: number; wallClockMs?: number }) => {
        const { layerBytes, ...rest } = options
        const input = { orgId: 'org_a', tree: toTree(registry.projectFiles()), command, signal }
        const quotas = { ...DEFAULT_QUOTAS, layerBytes }
        return prepareDependencies(withRegistries(`npm=${registry.url}`), input, { quotas, ...rest })
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
      expect(isEmpty('building') && isEmpty('trash')).toBe(true)
    },
    PATIENCE_MS,
  )

  test(
    'that need a missing tool say which',
    async () => {
      const tree = toTree(registry.projectFiles())
      const plan = await detectPrepare(tree)
      const tools = await findLocalTools()
      if ('missing' in tools || plan === null) throw new Error('no tools')
      const folders = layerFolders(server.app.config.dataDir)
      const lock = await lockBuild(folders, 'missing', { isDone: async () => false, signal })
      const steps = plan.steps.map((step) => ({ ...step, tool: { ...step.tool, programs: ['gofer'] } }))
      const failure = await buildLayer(lock?.folder ?? '', {
        ...{ tools, folders, quotas: DEFAULT_QUOTAS, registries: [], orgId: 'org_a', id: 'x', tree, signal },
        plan: { ...plan, steps },
      })
      await lock?.release()
      expect(failure).toMatchObject({ reason: 'tool_missing', output: 'tool_missing: gofer\n' })
    },
    PATIENCE_MS,
  )

  test(
    'stop with the last caller that waits for them',
    async () => {
      const stop = new AbortController()
      const tree = toTree(registry.projectFiles())
      const app = withRegistries(`npm=${registry.url}`)
      const going = prepareDependencies(app, {
        orgId: 'org_a',
        tree,
        command: 'sleep 61',
        signal: stop.signal,
      })
      const { building } = layerFolders(server.app.config.dataDir)
      await expect
        .poll(() => existsSync(building) && readdirSync(building).length, { timeout: 30_000 })
        .toBe(1)
      stop.abort()
      expect(await going).toMatchObject({ reason: 'timed_out' })
      await expect.poll(() => isEmpty('building'), { timeout: 30_000 }).toBe(true)
    },
    PATIENCE_MS,
  )

  test(
    'whose process is killed leave nothing usable, and are installed by the next one',
    async () => {
      const files = registry.projectFiles({ description: 'killed' })
      const { dataDir } = server.app.config
      const { building, layers } = layerFolders(dataDir)
      // The neighbour accepts connections and never answers.
      const words = [
        dataDir,
        `npm=http://127.0.0.1:${neighbourPort}`,
        JSON.stringify(Object.fromEntries(files)),
      ]
      const service = join(import.meta.dirname, '../../../../testkit/sandbox/prepare-service.ts')
      const child = spawn(process.execPath, [service, ...words], { stdio: ['ignore', 'ignore', 'inherit'] })
      const key = () => readdirSync(building).find((name) => name.startsWith('org_killed.')) ?? ''
      const work = () => join(building, key(), 'work/project/package.json')
      await expect
        .poll(() => existsSync(building) && key() !== '' && existsSync(work()), { timeout: 60_000 })
        .toBe(true)
      const left = key()
      child.kill('SIGKILL')
      await new Promise((resolve) => child.once('exit', resolve))
      expect(existsSync(join(building, left))).toBe(true)
      expect(existsSync(join(layers, 'org_killed'))).toBe(false)
      expect(await prepare(toTree(files), 'org_killed')).toMatchObject({ state: 'ready', isCached: false })
      expect(isEmpty('building')).toBe(true)
    },
    PATIENCE_MS,
  )

  if (hasPip)
    test(
      'of Python are installed from an index and work without it',
      async () => {
        const index = await startFakePythonIndex({ adder: 'def add(a, b):\n    return a + b\n' })
        const files = new Map([['requirements.txt', 'adder==1.0.0\n']])
        const app = withRegistries(`pip=${index.url}`)
        const prepared = await prepareDependencies(app, { orgId: 'org_a', tree: toTree(files), signal })
        await index.close()
        const { layer, tool } = requireReady(prepared)
        expect(tool).toBe('pip')
        const command = 'python3 -c "import adder; print(adder.add(1, 2))"'
        const run = await runCommand(app, { kind: 'local', owner: 'a', files, layer, command, signal })
        expect(run).toMatchObject({ outcome: 'exited', output: '3\n' })
      },
      PATIENCE_MS,
    )
  else
    test('of Python are not tested on this machine', () => reportNotRun('sandbox/prepare (python3 with pip)'))
}

function requireReady(prepared: PreparedDependencies): PreparedDependencies & { state: 'ready' } {
  if (prepared.state === 'ready') return prepared
  throw new Error(JSON.stringify(prepared))
}

const TEST = `
const { add } = require('adder')
const { double } = require('doubler')
require('node:net').connect(Number(process.argv[2]), '127.0.0.1').on('error', (error) => console.log(add(1, 2), double(4), error.code))
`

// Runs as a script of a package. For each attempt it notes \`held\`, or that it worked.
const ATTACK = `
const fs = require('node:fs')
const net = require('node:net')
const { neighbourPort, port } = JSON.parse(fs.readFileSync('/project/package.json', 'utf8')).config
const lines = []
const say = (name, isHeld) => lines.push(name + ': ' + (isHeld ? 'held' : 'ESCAPED'))
const talk = (options, text) => new Promise((resolve) => {
  const socket = net.connect(options)
  let answer = ''
  socket.setTimeout(5000, () => socket.destroy())
  socket.on('data', (chunk) => { answer += chunk; socket.destroy() })
  socket.on('error', () => {})
  socket.on('close', () => resolve(answer))
  socket.on('connect', () => { answer += 'connected '; socket.write(text) })
})
const direct = async (name, host, to) => say(name, (await talk({ host, port: to }, 'x')) === '')
const viaProxy = async (name, text) => say(name, /^connected HTTP\\/1\\.1 403/.test(await talk({ host: '127.0.0.1', port: 3128 }, text)))
const write = (path) => { try { fs.writeFileSync(path, 'x'); say('writing ' + path, false) } catch { say('writing ' + path, true) } }
const main = async () => {
  await direct('a port of the host', '127.0.0.1', neighbourPort)
  await direct('the metadata service', '169.254.169.254', 80)
  await direct('the internet', '1.1.1.1', 443)
  await viaProxy('the metadata service by the proxy', 'GET http://169.254.169.254/latest HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n')
  await viaProxy('a port of the host by the proxy', 'CONNECT 127.0.0.1:' + neighbourPort + ' HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n')
  await viaProxy('writing to the registry', 'POST http://127.0.0.1:' + port + '/x HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: 0\\r\\n\\r\\n')
  say('the socket of the proxy itself', /^connected HTTP\\/1\\.1 403/.test(await talk({ path: '/opt/registry/proxy.sock' }, 'CONNECT 127.0.0.1:' + neighbourPort + ' HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n')))
  for (const path of ['/opt/registry/relay.cjs', '/opt/registry/x', '/usr/x', '/x']) write(path)
  say('folders of the host', !fs.existsSync('/root') && !fs.existsSync('/home') && !fs.existsSync('/mnt/0'))
  fs.writeFileSync('report.txt', lines.join('\\n'))
}
main()
`
