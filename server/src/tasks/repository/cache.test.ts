import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type RepositoryWorld, startRepositoryWorld } from '@cowrie/testkit/tasks/repository-world.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { RepositoryCache } from './cache.ts'
import { deleteRepositories } from './repository.ts'

let world: RepositoryWorld
beforeAll(async () => {
  world = await startRepositoryWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.emptyCache()
  world.github.override = null
  world.github.clear()
})

const FILES = { 'a.js': 'a\n', 'b/c.js': 'c\n' }
const tarballs = () => world.github.requests.filter((request) => request.includes('/tarball/')).length
const stagingNames = () => readdirSync(join(world.dataDir, 'repositories/staging'))
const snapshotOf = ({ folder }: { folder: string }) => dirname(folder)

describe('opening', () => {
  test('the same commit at the same time downloads it once, and one caller may give up', async () => {
    const tenant = world.addRepo(FILES)
    const { commit } = await tenant.resolve()
    const arrived = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<null>()
    world.github.override = (_, path) => {
      if (!path.includes('/tarball/')) return null
      arrived.resolve()
      return gate.promise
    }
    const leaving = new AbortController()
    const left = tenant.open({ commit, signal: leaving.signal })
    const [first, second] = [tenant.open({ commit }), tenant.open({ commit })]
    await arrived.promise
    leaving.abort(new Error('no longer needed'))
    await expect(left).rejects.toThrow('no longer needed')
    gate.resolve(null)
    expect((await first).folder).toBe((await second).folder)
    expect(tarballs()).toBe(1)
  })

  test('is cancelled when all callers give up, and leaves nothing behind', async () => {
    const tenant = world.addRepo(FILES)
    const { commit } = await tenant.resolve()
    const leaving = new AbortController()
    world.github.override = (_, path) => {
      if (!path.includes('/tarball/')) return null
      leaving.abort(new Error('stopped'))
      return new Promise(() => undefined)
    }
    await expect(tenant.open({ commit, signal: leaving.signal })).rejects.toThrow('stopped')
    world.github.override = null
    const snapshot = await tenant.open({ commit })
    expect(snapshot.files.size).toBe(2)
    await expect.poll(stagingNames).toEqual([])
  })

  test('on two replicas with one disk gives both the same snapshot', async () => {
    const tenant = world.addRepo(FILES)
    const { commit } = await tenant.resolve()
    const other = world.openReplica()
    const opened = await Promise.all([tenant.open({ commit }), tenant.open({ commit, app: other })])
    expect(new Set(opened.map(({ folder }) => folder)).size).toBe(1)
    const before = tarballs()
    await tenant.open({ commit, app: world.openReplica() })
    expect(tarballs()).toBe(before)
    expect(stagingNames()).toEqual([])
  })

  test('a snapshot that a power failure damaged downloads it again', async () => {
    const tenant = world.addRepo(FILES)
    const snapshot = await tenant.open()
    snapshot.release()
    await expect.poll(() => readdirSync(join(snapshotOf(snapshot), 'leases'))).toEqual([])
    chmodSync(join(snapshot.folder, 'a.js'), 0o600)
    truncateSync(join(snapshot.folder, 'a.js'), 0)
    const again = await tenant.open({ commit: snapshot.commit, app: world.openReplica() })
    expect(readFileSync(join(again.folder, 'a.js'), 'utf8')).toBe('a\n')
    expect(tarballs()).toBe(2)
  })

  test('removes what killed processes left behind, but nothing of live ones', async () => {
    const tenant = world.addRepo(FILES)
    const staging = join(world.dataDir, 'repositories/staging')
    mkdirSync(join(staging, 'dead/files'), { recursive: true })
    mkdirSync(join(staging, 'live/files'), { recursive: true })
    mkdirSync(join(staging, 'trash'))
    for (const [name, minutes] of [
      ['dead', 10],
      ['live', 1],
    ] as const) {
      const at = new Date(world.clock.now().getTime() - minutes * 60_000)
      writeFileSync(join(staging, `${name}.lease`), '')
      utimesSync(join(staging, `${name}.lease`), at, at)
    }
    await tenant.open({ app: world.openReplica() })
    expect(stagingNames().sort()).toEqual(['live', 'live.lease'])
  })
})

describe('the least recently used snapshots', () => {
  const orgId = 'org_a' as OrgId
  const limits = { totalBytes: 40_000, orgBytes: 20_000, unusedMs: 7 * 24 * 3_600_000 }
  /** A snapshot of one file, of 4 KiB on disk. */
  async function add(cache: RepositoryCache, commit: string, org = orgId): Promise<string> {
    const target = cache.targetOf(org, 1, commit)
    const file = { path: 'f', sha: 'a'.repeat(40), bytes: 3, isExecutable: false }
    const staging = await cache.createStaging()
    writeFileSync(join(staging.folder, 'f'), 'abc')
    await cache.publish(staging, target, {
      commit,
      files: new Map([['f', file]]),
      skipped: [],
      lfs: new Set(),
    })
    world.clock.advance({ seconds: 1 })
    return target
  }
  const open = (app: App = world.app) => new RepositoryCache(app, limits)

  test('of an organisation make room for its new ones, unless they are in use on any replica', async () => {
    const [cache, replica] = [open(), open(world.openReplica())]
    const targets: string[] = []
    const other = await add(cache, 'c1', 'org_b' as OrgId)
    targets.push(await add(cache, 'c1'))
    const held = await replica.acquire(targets[0] ?? '')
    for (const commit of ['c2', 'c3', 'c4']) targets.push(await add(cache, commit))
    await (await cache.acquire(targets[1] ?? ''))?.release()
    world.clock.advance({ seconds: 1 })
    await cache.makeRoom(orgId, 10_000)
    // c1 was used first and is in use. c2 was used last.
    expect(targets.map((target) => existsSync(target))).toEqual([true, true, false, false])
    expect(existsSync(other)).toBe(true)
    await held?.release()
    await cache.makeRoom(orgId, 12_000)
    expect(targets.map((target) => existsSync(target))).toEqual([true, false, false, false])
  })

  test('of all organisations make room, and unused ones go after a week', async () => {
    const cache = open()
    const targets: string[] = []
    for (const org of ['org_a', 'org_b', 'org_c', 'org_d']) targets.push(await add(cache, 'c1', org as OrgId))
    await cache.makeRoom('org_e' as OrgId, 30_000)
    expect(targets.map((target) => existsSync(target))).toEqual([false, false, true, true])
    world.clock.advance({ days: 8 })
    await cache.makeRoom('org_e' as OrgId, 0)
    expect(readdirSync(join(world.dataDir, 'repositories/orgs'))).toEqual([])
  })

  test('are whole as long as they are in use, however many replicas add and remove others', async () => {
    const replicas = Array.from({ length: 4 }, () => open(world.openReplica()))
    const missing: string[] = []
    const work = async (cache: RepositoryCache, start: number) => {
      for (let i = start; i < start + 30; i++) {
        const commit = `c${(i * 7) % 9}`
        const target = cache.targetOf(orgId, 1, commit)
        let held = await cache.acquire(target)
        while (!held) {
          await cache.makeRoom(orgId, 4_096)
          await add(cache, commit)
          held = await cache.acquire(target)
        }
        for (let reads = 0; reads < 3; reads++) {
          if (!existsSync(join(held.folder, 'f'))) missing.push(target)
          await setImmediate()
        }
        await held.release()
      }
    }
    await Promise.all(
      replicas.flatMap((cache, i) => [work(cache, i), work(cache, i + 3), work(cache, i * 5)]),
    )
    expect(missing).toEqual([])
    expect(stagingNames()).toEqual([])
  })

  test('that are damaged beyond recognition are replaced', async () => {
    const cache = open()
    const target = await add(cache, 'c1')
    rmSync(join(target, 'leases'), { recursive: true })
    writeFileSync(join(target, 'index.json'), '{')
    expect(await cache.acquire(target)).toBeNull()
    await add(cache, 'c1')
    expect((await cache.acquire(target))?.index.commit).toBe('c1')
  })

  test('stay usable if a process died while it removed one, and leases of dead processes expire', async () => {
    const [cache, dead] = [open(), open(world.openReplica())]
    const target = await add(cache, 'c1')
    writeFileSync(join(target, 'evicting'), '')
    utimesSync(join(target, 'evicting'), world.clock.now(), world.clock.now())
    expect(await cache.acquire(target)).toBeNull()
    world.clock.advance({ minutes: 6 })
    const held = await dead.acquire(target)
    expect(held?.index.commit).toBe('c1')
    await cache.makeRoom(orgId, 20_000)
    expect(existsSync(target)).toBe(true)
    world.clock.advance({ minutes: 6 })
    await cache.makeRoom(orgId, 20_000)
    expect(existsSync(target)).toBe(false)
  })
})

test('files of a deleted organisation are removed, and those of others stay', async () => {
  const [tenant, other] = [world.addRepo(FILES), world.addRepo(FILES)]
  const [gone, stays] = [await tenant.open(), await other.open()]
  await deleteRepositories(world.app, tenant.orgId)
  await deleteRepositories(world.app, 'org_none' as OrgId)
  expect(existsSync(gone.folder)).toBe(false)
  expect(statSync(join(stays.folder, 'a.js')).isFile()).toBe(true)
  gone.release()
  expect((await tenant.open()).files.size).toBe(2)
})
