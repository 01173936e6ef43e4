// Limits the number of processes of a command of root, for whom the kernel ignores the usual limit. Other users have that one.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export type ProcessGroup = {
  /** Words before a command that start it in the group. */
  readonly enter: readonly string[]
  readonly remove: () => Promise<void>
}

const TRIES_AWAITED = 10
const TRIES_MAX = 1_000
const WAIT_MS = 20
const ROOT = '/sys/fs/cgroup'

/** Null for other users, and if no group can be made. */
export function createProcessGroup(processesMax: number): ProcessGroup | null {
  if (process.getuid?.() !== 0) return null
  for (const parent of parents()) {
    const folder = join(parent, `cowrie-${process.pid}-${randomBytes(4).toString('hex')}`)
    try {
      removeLeftGroups(parent)
      mkdirSync(folder)
    } catch {
      continue
    }
    try {
      writeFileSync(join(folder, 'pids.max'), String(processesMax), { flag: 'r+' })
      const script = `echo $$ > '${join(folder, 'cgroup.procs')}' && exec "$@"`
      return { enter: ['/bin/sh', '-c', script, 'sh'], remove: () => removeFolder(folder) }
    } catch {
      rmdirSync(folder)
    }
  }
  return null
}

function parents(): string[] {
  const own = new Map<string, string>()
  try {
    for (const line of readFileSync('/proc/self/cgroup', 'utf8').split('\n')) {
      const [, names = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
      for (const name of names.split(',')) own.set(name, path)
    }
  } catch {
    return []
  }
  const old = own.get('pids')
  const now = own.get('')
  return [
    ...(old === undefined ? [] : [join(ROOT, 'pids', old), join(ROOT, 'pids')]),
    ...(now === undefined ? [] : [join(ROOT, now), dirname(join(ROOT, now))]),
  ].filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
}

/** Thousands of processes take a while to end; the result of the command does not wait for all of them. */
async function removeFolder(folder: string): Promise<void> {
  if (!(await tryToRemove(folder, TRIES_AWAITED, true))) void tryToRemove(folder, TRIES_MAX, false)
}

/** `isAwaited`: this program must not end meanwhile. */
async function tryToRemove(folder: string, triesMax: number, isAwaited: boolean): Promise<boolean> {
  for (let tried = 0; tried < triesMax; tried++) {
    try {
      rmdirSync(folder)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
      await setTimeout(WAIT_MS, undefined, { ref: isAwaited })
    }
  }
  return false
}

/** Groups of programs that were killed. Their commands ended with them. */
function removeLeftGroups(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, owner] = /^cowrie-(\d+)-[0-9a-f]{8}$/.exec(name) ?? []
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue
    try {
      rmdirSync(join(parent, name))
    } catch {
      // Not empty yet.
    }
  }
}
