import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { type FakeNpmRegistry, startFakeNpmRegistry } from '@cowrie/testkit/fakes/npm-registry.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { hostileFiles } from '@cowrie/testkit/sandbox/hostile.ts'
import {
  deepFolders,
  type InstallTargets,
  manyFiles,
  plantTraps,
  REACH_OUT,
} from '@cowrie/testkit/sandbox/hostile-install.ts'
import { PrepareWorld } from '@cowrie/testkit/sandbox/prepare-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeDependencies } from '../sandbox.ts'
import { DEFAULT_QUOTAS } from './layer-store.ts'

if (hasSandbox && existsSync('/usr/bin/npm'))
  describe('a package with hostile scripts', { timeout: 300_000 }, testHostileScripts)
else
  test('packages with hostile scripts are not tested on this machine', () =>
    reportNotRun('sandbox/prepare/hostile-install (it needs npm too)'))

function testHostileScripts(): void {
  let world: PrepareWorld
  let registry: FakeNpmRegistry
  let neighbour: Server
  let targets: InstallTargets
  beforeAll(async () => {
    neighbour = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => neighbour.once('listening', resolve))
    const address = neighbour.address()
    registry = await startFakeNpmRegistry([
      { name: 'hostile', files: { 'attack.js': REACH_OUT }, scripts: { postinstall: 'node attack.js' } },
    ])
    world = new PrepareWorld(`npm=${registry.url}`)
    const secret = join(world.dataDir, 'sandbox/layers/org_other/x/project/secret')
    mkdirSync(join(secret, '..'), { recursive: true })
    writeFileSync(secret, 'secret of others', { mode: 0o666 })
    targets = {
      neighbourPort: typeof address === 'object' && address ? address.port : 0,
      port: registry.port,
      dataDir: world.dataDir,
      secret,
    }
  })
  afterAll(async () => {
    neighbour.close()
    await registry.close()
    world.close()
  })
  const install = (command: string, files: Readonly<Record<string, string>> = { 'package.json': '{}' }) =>
    world.prepareReady(files, { command })

  test('reaches no other host, and what it tried is named', async () => {
    const files = registry.projectFiles({ config: targets }).set('program.js', 'a secret program')
    const done = await world.prepareReady(files)
    const report = await world.run(files, done, 'cat node_modules/hostile/report.txt')
    const lines = report.output.trim().split('\n')
    expect(lines.filter((line) => !line.endsWith(': held'))).toEqual([])
    expect(lines.length).toBe(15)
    expect(done.refused).toEqual([
      '169.254.169.254:80: not in SERVICE_SANDBOX_REGISTRIES',
      `127.0.0.1:${targets.neighbourPort}: not in SERVICE_SANDBOX_REGISTRIES`,
      `localhost:${targets.neighbourPort}: not in SERVICE_SANDBOX_REGISTRIES`,
      `POST 127.0.0.1:${registry.port}: only GET and HEAD`,
    ])
  })

  test('cannot escape in more than a hundred ways', async ({ onTestFinished }) => {
    process.env.COWRIE_HOSTILE_TEST = 'x'
    onTestFinished(() => {
      delete process.env.COWRIE_HOSTILE_TEST
    })
    const program = hostileFiles({
      port: targets.neighbourPort,
      abstractSocket: 'cowrie-none',
      pid: process.pid,
      file: import.meta.filename,
      variables: ['COWRIE_HOSTILE_TEST', 'DATABASE_URL', 'SERVICE_SECRET'],
    })
    const files = { ...Object.fromEntries(program), 'package.json': '{}' }
    const done = await install('mkdir node_modules; sh run.sh | cat >node_modules/report.txt', files)
    const { output } = await world.run(files, done, 'cat node_modules/report.txt')
    const lines = output.trim().split('\n')
    expect(lines.filter((line) => !line.endsWith(': held'))).toEqual([])
    expect(lines.length).toBeGreaterThan(100)
  })

  test('leaves no trap for later runs or for us, and no process', async () => {
    const done = await install(plantTraps(targets))
    const { layer } = done
    // Links of the script were not followed, and the record is ours.
    expect(layer.projectPaths).toEqual(['node_modules', 'packages/b/new\nline/node_modules'])
    expect(layer.homePaths).toEqual([])
    expect(readdirSync(layer.folder).sort()).toEqual(['home', 'layer.json', 'project'])
    expect(readdirSync(world.dataDir)).toEqual(['sandbox'])
    expect(statSync(targets.secret).nlink).toBe(1)
    expect(statSync(join(layer.folder, 'project/node_modules/.cache')).isDirectory()).toBe(true)
    const look = `cd node_modules/trap
cat file-link climbing-link folder-link/sandbox/layers/*/*/project/secret root-link/..${targets.secret} hard-link 2>/dev/null
ls -d folder-link/* root-link/root root-link/home device 2>/dev/null
./id -u; cat "$(printf 'new\\nline')" ./-rf; ls system-link 2>/dev/null; echo x >../.cache/y`
    expect(await world.run({ 'package.json': '{}' }, done, look)).toMatchObject({ output: '1000\nxx' })
    expect(processes().filter((line) => line.includes('sleep\x007654'))).toEqual([])
    await removeDependencies(world.app(), 'org_a')
    expect(world.names('layers')).toEqual(['org_other'])
    expect(readFileSync(targets.secret, 'utf8')).toBe('secret of others')
    expect([world.names('building'), world.names('trash')]).toEqual([[], []])
  })

  test('may install many files and deep folders, which are measured and removed', async () => {
    const quotas = { ...DEFAULT_QUOTAS, layerBytes: 2 ** 30 }
    const count = rounds(1_000, 100_000)
    const files = { 'package.json': '{}' }
    const done = await world.prepareReady(files, { command: manyFiles(count), quotas })
    expect(await world.run(files, done, 'ls node_modules/many | wc -l')).toMatchObject({
      output: `${count}\n`,
    })
    const deep = await world.prepareReady(files, { command: deepFolders(rounds(100, 4_000)) })
    expect(await world.run(files, deep, 'ls node_modules | wc -l')).toMatchObject({ output: '1\n' })
    await removeDependencies(world.app(), 'org_a')
    expect([world.names('layers'), world.names('trash')]).toEqual([['org_other'], []])
  })

  test('that starts processes without end is stopped at its limit', async () => {
    const bomb = isSoak ? 'bomb() { bomb | bomb & }; bomb; sleep 5; exit 1' : START_PROCESSES
    const failed = await world.prepare({ 'package.json': '{}' }, { command: bomb, wallClockMs: 60_000 })
    expect(failed).toMatchObject({
      state: 'failed',
      reason: 'command_failed',
      output: expect.stringMatching(/no more processes|limit of processes|fork/),
    })
    expect(processes().filter((line) => line.includes('no more processes'))).toEqual([])
  })
}

const START_PROCESSES = `perl -e 'for (1 .. 2_000) {
  $child = fork;
  defined $child or die "no more processes";
  $child or do { sleep 60; exit }
}'`

/** The command lines of all processes of this host. */
function processes(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        return [`${readlinkSync(`/proc/${name}/exe`)} ${readFileSync(`/proc/${name}/cmdline`, 'utf8')}`]
      } catch {
        return []
      }
    })
}
