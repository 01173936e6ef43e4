// Limits all processes of one run with a kernel control group (v1 or v2) below our own, so that our limits apply too.
// Root can create groups, and so can a user with a delegated subtree, as under systemd.
import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CommandLimits } from '../command-run.ts'

export type GroupFolders =
  | { readonly version: 1; readonly memory: string; readonly pids: string; readonly cpu: string | null }
  | { readonly version: 2; readonly all: string }

export type ControlGroup = {
  /** A process joins by writing its pid into each of these. */
  readonly joinFiles: readonly string[]
  /** The limits that were reached so far. */
  readLimitHits(): Promise<{ memory: boolean; processes: boolean }>
  /** Kills every process in the group and removes it. Resolves to the number of surviving processes. */
  remove(): Promise<number>
}

const PREFIX = 'cowrie-run-'
const REMOVE_TRIES_MAX = 200
const PERIOD_US = 100_000

/** The folders for groups of runs, or null if none can be created. */
export async function findGroupFolders(
  root = '/sys/fs/cgroup',
  own = '/proc/self/cgroup',
): Promise<GroupFolders | null> {
  const paths = new Map<string, string>()
  for (const line of (await readIfThere(own)).split('\n')) {
    const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (names !== undefined && path !== undefined) for (const name of names.split(',')) paths.set(name, path)
  }
  const folderOf = async (name: string) => {
    // In a container, the path may be that of the host, while the group is mounted as the root.
    const path = paths.get(name)
    if (path === undefined) return null
    const candidates = [join(root, name, path), join(root, name)]
    for (const folder of candidates) if (await isFolder(folder)) return folder
    return null
  }
  const memory = await folderOf('memory')
  const pids = await folderOf('pids')
  if (memory !== null && pids !== null) {
    if (!(await isWritable(memory)) || !(await isWritable(pids))) return null
    const cpu = await folderOf('cpu')
    return { version: 1, memory, pids, cpu: cpu !== null && (await isWritable(cpu)) ? cpu : null }
  }
  const ours = await folderOf('')
  if (ours === null) return null
  // A group with processes cannot delegate limits, so under systemd the groups of runs are siblings of ours.
  const candidates = ours === join(root) ? [ours] : [ours, dirname(ours)]
  for (const all of candidates) if (await delegatesLimits(all)) return { version: 2, all }
  return null
}

/** Limits can be set below it, and our processes can be moved there. */
async function delegatesLimits(folder: string): Promise<boolean> {
  const offered = (await readIfThere(join(folder, 'cgroup.subtree_control'))).split(/\s+/)
  if (!offered.includes('memory') || !offered.includes('pids')) return false
  return (await isWritable(folder)) && (await isWritable(join(folder, 'cgroup.procs')))
}

/** Creates a group with these limits; throws if it cannot. */
export async function createGroup(folders: GroupFolders, limits: CommandLimits): Promise<ControlGroup> {
  const name = `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`
  const made: string[] = []
  try {
    for (const [parent, values] of limitFiles(folders, limits)) {
      const folder = join(parent, name)
      if (!made.includes(folder)) {
        await mkdir(folder)
        made.push(folder)
      }
      for (const [file, value, isNeeded] of values) await setLimit(join(folder, file), value, isNeeded)
    }
  } catch (error) {
    for (const folder of made) await rmdir(folder)
    throw error
  }
  return toControlGroup(folders, name, made)
}

/** Removes groups that dead processes left behind. Resolves to their number. */
export async function sweepGroups(folders: GroupFolders): Promise<number> {
  const parents =
    folders.version === 2
      ? [folders.all]
      : [folders.memory, folders.pids, ...(folders.cpu ? [folders.cpu] : [])]
  const left = new Set<string>()
  for (const parent of parents)
    for (const name of await readdir(parent)) {
      const maker = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]
      if (maker === undefined || Number(maker) === process.pid || (await isFolder(`/proc/${maker}`))) continue
      left.add(name)
      await removeFolder(join(parent, name))
    }
  return left.size
}

type LimitFile = readonly [file: string, value: string, isNeeded: boolean]

function limitFiles(folders: GroupFolders, limits: CommandLimits): [folder: string, values: LimitFile[]][] {
  const memory = String(limits.memoryBytes)
  const pids = String(limits.processes)
  if (folders.version === 2)
    return [
      [
        folders.all,
        [
          ['memory.max', memory, true],
          ['memory.swap.max', '0', false],
          ['memory.oom.group', '1', false],
          ['pids.max', pids, true],
          ['cpu.max', `${PERIOD_US} ${PERIOD_US}`, false],
        ],
      ],
    ]
  const cpu: LimitFile[] = [
    ['cpu.cfs_period_us', String(PERIOD_US), false],
    ['cpu.cfs_quota_us', String(PERIOD_US), false],
  ]
  return [
    [
      folders.memory,
      [
        ['memory.limit_in_bytes', memory, true],
        ['memory.memsw.limit_in_bytes', memory, false],
      ],
    ],
    [folders.pids, [['pids.max', pids, true]]],
    ...(folders.cpu === null ? [] : [[folders.cpu, cpu] satisfies [string, LimitFile[]]]),
  ]
}

async function setLimit(file: string, value: string, isNeeded: boolean): Promise<void> {
  try {
    await writeFile(file, value, { flag: 'r+' })
  } catch (error) {
    if (isNeeded) throw error
  }
}

function toControlGroup(folders: GroupFolders, name: string, made: readonly string[]): ControlGroup {
  const [memory, pids] =
    folders.version === 2
      ? [join(folders.all, name, 'memory.events'), join(folders.all, name)]
      : [join(folders.memory, name, 'memory.oom_control'), join(folders.pids, name)]
  return {
    joinFiles: made.map((folder) => join(folder, 'cgroup.procs')),
    async readLimitHits() {
      const counted = async (file: string, word: string) =>
        Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(await readIfThere(file))?.[1] ?? 0) > 0
      return {
        memory: await counted(memory, 'oom_kill'),
        processes: await counted(join(pids, 'pids.events'), 'max'),
      }
    },
    async remove() {
      const left = await Promise.all(made.map(removeFolder))
      return Math.max(0, ...left)
    },
  }
}

/**
 * A group can be removed once it is empty, and killed processes take a moment to disappear. After the last try, the
 * sweep removes it.
 */
async function removeFolder(folder: string): Promise<number> {
  for (let tries = 0; tries < REMOVE_TRIES_MAX; tries++) {
    const members = await listMembers(folder)
    for (const pid of members) killIfThere(pid)
    if (members.length === 0 && (await tryRemove(folder))) return 0
    await wait(Math.min(25, 1 + tries))
  }
  return (await listMembers(folder)).length
}

async function tryRemove(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return true
    if (code === 'EBUSY') return false
    throw error
  }
}

const listMembers = async (folder: string): Promise<number[]> =>
  (await readIfThere(join(folder, 'cgroup.procs')))
    .split('\n')
    .filter((line) => line !== '' && line !== '0')
    .map(Number)

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENODEV') return ''
    throw error
  }
}

const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  )

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
