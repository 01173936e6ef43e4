import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockBuild, sweepBuilds } from './build-lock.ts'
import { collectByName, collectByPath } from './collect.ts'
import {
  findLayer,
  type LayerFolders,
  layerFolders,
  removeLayersOf,
  removeUnusedLayers,
  storeLayer,
  useLayer,
} from './layer-store.ts'

let root: string
let folders: LayerFolders
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cowrie-layers-'))
  folders = layerFolders(root)
})
afterEach(() => rmSync(root, { recursive: true }))

const QUOTAS = { layerBytes: 10, orgBytes: 20, totalBytes: 40, freeBytes: 0, unusedMs: 60 * 60_000 }
const signal = new AbortController().signal

function write(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function store(orgId: string, id: string, bytes = 10): Promise<boolean> {
  const built = join(root, 'built', orgId, id)
  write(join(built, 'project/a'))
  const record = { tool: 'npm', projectPaths: [], homePaths: [], bytes, refused: [] }
  return storeLayer(folders, QUOTAS, { orgId, id, built, record })
}

const folderOf = (orgId: string, id: string) => join(folders.layers, orgId, id)
/** As if it was used so many minutes ago. */
function age(orgId: string, id: string, minutes: number): void {
  const at = (performance.timeOrigin + performance.now()) / 1_000 - minutes * 60
  utimesSync(join(folderOf(orgId, id), 'layer.json'), at, at)
}
const isThere = async (orgId: string, id: string) => existsSync(folderOf(orgId, id))

describe('layers', () => {
  test('of one organisation are not found by another', async () => {
    await store('org_a', 'x')
    expect(await findLayer(folders, 'org_a', 'x')).toMatchObject({
      folder: folderOf('org_a', 'x'),
      bytes: 10,
    })
    expect(await findLayer(folders, 'org_b', 'x')).toBeNull()
  })

  test('that were not used for the longest time make room, first those of the same organisation', async () => {
    for (const id of ['x', 'y']) await store('org_a', id)
    await store('org_b', 'z')
    age('org_b', 'z', 9)
    age('org_a', 'x', 5)
    age('org_a', 'y', 7)
    await findLayer(folders, 'org_a', 'y')
    expect(await store('org_a', 'new')).toBe(true)
    expect(await Promise.all([isThere('org_a', 'x'), isThere('org_a', 'y'), isThere('org_b', 'z')])).toEqual([
      false,
      true,
      true,
    ])
    // All organisations together have a quota too.
    await store('org_c', 'x')
    expect(await store('org_c', 'y')).toBe(true)
    expect(await isThere('org_b', 'z')).toBe(false)
  })

  test('in use are never removed: a new one is refused instead', async () => {
    for (const id of ['x', 'y']) await store('org_a', id)
    const layer = { id: 'x', tool: 'npm', projectPaths: [], homePaths: [], environment: {} }
    const release = await useLayer({ ...layer, folder: folderOf('org_a', 'x') })
    age('org_a', 'x', 9)
    expect(await store('org_a', 'new')).toBe(false)
    release()
    expect(await store('org_a', 'new')).toBe(true)
    expect(await isThere('org_a', 'x')).toBe(false)
  })

  test('that were not used for long are removed, also those of organisations that are gone', async () => {
    for (const orgId of ['org_a', 'org_gone']) await store(orgId, 'x')
    await store('org_a', 'y')
    age('org_gone', 'x', 61)
    age('org_a', 'y', 61)
    await removeUnusedLayers(folders, QUOTAS)
    expect([await isThere('org_a', 'x'), await isThere('org_a', 'y')]).toEqual([true, false])
    expect(existsSync(join(folders.layers, 'org_gone'))).toBe(false)
  })

  test('of an organisation can be removed together', async () => {
    await store('org_a', 'x')
    await store('org_b', 'x')
    await removeLayersOf(folders, 'org_a')
    await removeLayersOf(folders, 'org_none')
    expect([await isThere('org_a', 'x'), await isThere('org_b', 'x')]).toEqual([false, true])
  })
})

describe('a build', () => {
  const lock = (isDone = async () => false, stop = signal) =>
    lockBuild(folders, 'key', { isDone, signal: stop })

  test('is done by one at a time; others wait until it is done or given up', async () => {
    const first = await lock()
    let isDone = false
    const waiting = lock(async () => isDone)
    isDone = true
    expect(await waiting).toBeNull()
    const stop = new AbortController()
    const stopped = lock(undefined, stop.signal)
    stop.abort()
    expect(await stopped).toBeNull()
    const next = lock()
    await first?.release()
    expect(await next).not.toBeNull()
    await (await next)?.release()
    expect(existsSync(join(folders.building, 'key'))).toBe(false)
  })

  test.for([
    ['its process is gone', (file: string) => writeFileSync(file, withOwner(file, { pid: 4_194_305 }))],
    [
      'its number belongs to another process now',
      (file: string) => writeFileSync(file, withOwner(file, { startedAt: '1' })),
    ],
    ['its replica does not beat any more', (file: string) => utimesSync(file, 1, 1)],
  ] as const)('is taken over, and its files are removed, when %s', async ([, change]) => {
    const dead = await lock()
    const folder = dead?.folder ?? ''
    write(join(folder, 'layer/half'))
    change(join(folder, '../owner.json'))
    await sweepBuilds(folders)
    expect(existsSync(folder)).toBe(false)
    const next = await lock()
    expect(next?.folder).not.toBe(folder)
    // A process that was only asleep neither finds nor removes the files of its successor.
    await dead?.release()
    expect(existsSync(next?.folder ?? '')).toBe(true)
    await next?.release()
    expect(existsSync(join(folders.building, 'key'))).toBe(false)
  })

  test('of another container is judged by its heartbeat', async () => {
    const other = await lock()
    const file = join(other?.folder ?? '', '../owner.json')
    writeFileSync(file, withOwner(file, { space: 'elsewhere', pid: 4_194_305 }))
    await sweepBuilds(folders)
    expect(existsSync(file)).toBe(true)
    await other?.release()
  })
})

function withOwner(file: string, change: object): string {
  return JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), ...change })
}

test('collecting what was installed follows no links of the command', async () => {
  const [from, to, secret] = [join(root, 'from'), join(root, 'to'), join(root, 'secret')]
  for (const folder of [from, to]) mkdirSync(folder)
  write(join(secret, 'node_modules/key'), 'secret')
  write(join(from, 'node_modules/a/node_modules/b/index.js'))
  write(join(from, 'packages/c/node_modules/d/index.js'))
  write(join(from, 'go/pkg/mod/x'))
  symlinkSync(secret, join(from, 'packages/link'))
  symlinkSync(join(secret, 'node_modules'), join(from, 'packages/node_modules'))
  symlinkSync(secret, join(from, '.m2'))
  const input = { from, to, user: null }
  expect(await collectByName(input, new Set(['node_modules']))).toEqual([
    'node_modules',
    'packages/c/node_modules',
  ])
  expect(await collectByPath(input, ['go/pkg', '.m2', '.m2/node_modules', 'absent'])).toEqual(['go/pkg'])
  expect(existsSync(join(to, 'node_modules/a/node_modules/b/index.js'))).toBe(true)
  expect(existsSync(join(to, 'go/pkg/mod/x'))).toBe(true)
  expect(existsSync(join(secret, 'node_modules/key'))).toBe(true)
})
