import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../command-run.ts'
import { createGroup, findGroupFolders } from './control-groups.ts'

let root: string
let own: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cowrie-groups-'))
  own = join(root, 'own')
})
afterEach(() => rmSync(root, { recursive: true }))

/** Folders like those of the kernel, with these files. */
function kernelShows(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

test('in version 1, the group is created below ours in each hierarchy', async () => {
  kernelShows({
    own: '5:pids:/\n4:memory:/box/a\n1:cpu,cpuacct:/box\n0::/\n',
    'memory/box/a/x': '',
    'pids/x': '',
    'cpu/box/x': '',
  })
  expect(await findGroupFolders(root, own)).toEqual({
    version: 1,
    memory: join(root, 'memory/box/a'),
    pids: join(root, 'pids/'),
    cpu: join(root, 'cpu/box'),
  })
})

test('in a container, where the path is that of the host, it is created at the top', async () => {
  kernelShows({ own: '5:pids:/docker/f00\n4:memory:/docker/f00\n', 'memory/x': '', 'pids/x': '' })
  expect(await findGroupFolders(root, own)).toEqual({
    version: 1,
    memory: join(root, 'memory'),
    pids: join(root, 'pids'),
    cpu: null,
  })
})

test('in version 2, our own group must delegate memory and processes', async () => {
  kernelShows({
    own: '0::/service\n',
    'service/cgroup.subtree_control': 'cpu memory pids\n',
    'service/cgroup.procs': '',
  })
  expect(await findGroupFolders(root, own)).toEqual({ version: 2, all: join(root, 'service') })
  writeFileSync(join(root, 'service/cgroup.subtree_control'), 'cpu pids\n')
  expect(await findGroupFolders(root, own)).toBeNull()
})

test('in version 2, groups are siblings of ours if ours cannot delegate', async () => {
  kernelShows({
    own: '0::/app.slice/ours.scope\n',
    'app.slice/ours.scope/cgroup.subtree_control': '\n',
    'app.slice/cgroup.subtree_control': 'memory pids\n',
    'app.slice/cgroup.procs': '',
  })
  expect(await findGroupFolders(root, own)).toEqual({ version: 2, all: join(root, 'app.slice') })
  rmSync(join(root, 'app.slice/cgroup.procs'))
  expect(await findGroupFolders(root, own)).toBeNull()
})

test('where there are none, there is no group', async () => {
  expect(await findGroupFolders(root, own)).toBeNull()
})

test('a group whose limits cannot be set is not created, and its folder is removed', async () => {
  // A plain folder has no limit files.
  kernelShows({ 'service/cgroup.subtree_control': 'memory pids\n' })
  const folders = { version: 2, all: join(root, 'service') } as const
  await expect(createGroup(folders, DEFAULT_LIMITS)).rejects.toThrow('ENOENT')
  expect(readFileSync(join(root, 'service/cgroup.subtree_control'), 'utf8')).toBe('memory pids\n')
  await expect(createGroup(folders, DEFAULT_LIMITS)).rejects.toThrow('ENOENT')
})
