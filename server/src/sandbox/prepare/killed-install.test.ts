import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { type FakeNpmRegistry, startFakeNpmRegistry } from '@cowrie/testkit/fakes/npm-registry.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { PrepareWorld } from '@cowrie/testkit/sandbox/prepare-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

if (hasSandbox && existsSync('/usr/bin/npm'))
  describe('an installation in another process', { timeout: 120_000 }, testOtherProcess)
else
  test('installations in other processes are not tested on this machine', () =>
    reportNotRun('sandbox/prepare/killed-install (it needs npm too)'))

const SERVICE = join(import.meta.dirname, '../../../../testkit/sandbox/prepare-service.ts')

function testOtherProcess(): void {
  let world: PrepareWorld
  let registry: FakeNpmRegistry
  /** Accepts connections and never answers. */
  let silent: Server
  let silentUrl: string
  beforeAll(async () => {
    silent = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const address = silent.address()
    silentUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    registry = await startFakeNpmRegistry([{ name: 'adder', files: { 'index.js': '' } }])
    world = new PrepareWorld(`npm=${registry.url}`)
  })
  afterAll(async () => {
    silent.close()
    await registry.close()
    world.close()
  })
  const project = (description: string) => registry.projectFiles({ description })
  const start = (files: ReadonlyMap<string, string>, registries: string): ChildProcess =>
    spawn(process.execPath, [SERVICE, world.dataDir, registries, JSON.stringify(Object.fromEntries(files))], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const hasStarted = () =>
    globSync(join(world.folder('building'), 'org_killed.*/*/work/project/package.json')).length > 0
  const untilStarted = () => expect.poll(hasStarted, { timeout: 60_000 }).toBe(true)
  const untilExit = (child: ChildProcess) =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once('exit', resolve))
  const request = { orgId: 'org_killed' }

  test('that is killed leaves nothing usable, and the next one removes its files and installs', async () => {
    const files = project('killed')
    const child = start(files, `npm=${silentUrl}`)
    await untilStarted()
    child.kill('SIGKILL')
    await untilExit(child)
    expect(world.names('building')).toHaveLength(1)
    expect(existsSync(join(world.folder('layers'), 'org_killed'))).toBe(false)
    expect(await world.prepare(files, request)).toMatchObject({ state: 'ready', isCached: false })
    expect([world.names('building'), world.names('trash')]).toEqual([[], []])
  })

  soakTest('that is killed is taken over by one that waits for it', async () => {
    const files = project('taken over')
    const child = start(files, `npm=${silentUrl}`)
    await untilStarted()
    const waiting = world.prepare(files, request)
    child.kill('SIGKILL')
    expect(await waiting).toMatchObject({ state: 'ready', isCached: false })
    expect(world.names('building')).toEqual([])
  })

  soakTest('is used by one that waits for it', async () => {
    const files = project('shared')
    registry.requests.length = 0
    registry.hold()
    const child = start(files, `npm=${registry.url}`)
    await untilStarted()
    const waiting = world.prepare(files, request)
    registry.release()
    expect(await waiting).toMatchObject({ state: 'ready' })
    await untilExit(child)
    expect(child.exitCode).toBe(0)
    expect(registry.requests.filter((path) => path.endsWith('.tgz'))).toHaveLength(1)
  })
}
