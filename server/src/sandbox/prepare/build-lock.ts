// A folder in which one process builds one layer. Creating it is the lock; a dead process does not keep it. The files
// are in a folder with a random name inside, so that a process that lost its lock does not find those of its successor.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, readlink, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const HEARTBEAT_MS = 5_000
/** Replicas in other containers are judged by their heartbeat only. */
const STALE_MS = 60_000
const POLL_MS = 200
const OWNER_FILE = 'owner.json'

const execute = promisify(execFile)

/** Real time: it is compared with times of files. */
export const fileTimeMs = (): number => performance.timeOrigin + performance.now()

export type BuildFolder = { readonly folder: string; release(): Promise<void> }

export type BuildPlaces = { readonly building: string; readonly trash: string }

/** Waits while another live process builds. Null if `isDone` becomes true meanwhile, or the wait is aborted. */
export async function lockBuild(
  { building, trash }: BuildPlaces,
  key: string,
  { isDone, signal }: { readonly isDone: () => Promise<boolean>; readonly signal: AbortSignal },
): Promise<BuildFolder | null> {
  const folder = join(building, key)
  await mkdir(building, { recursive: true, mode: 0o700 })
  while (!signal.aborted) {
    if (await tryCreate(folder)) return own(folder, trash)
    if (await isDone()) return null
    if (await isAbandoned(folder)) await discard(folder, trash)
    else await wait(POLL_MS)
  }
  return null
}

/** Removes what dead processes left behind. */
export async function sweepBuilds({ building, trash }: BuildPlaces): Promise<void> {
  for (const name of await listFolder(building))
    if (await isAbandoned(join(building, name))) await discard(join(building, name), trash)
  for (const name of await listFolder(trash)) await removeAll(join(trash, name))
}

/** Out of sight at once, then removed. */
export async function discard(folder: string, trash: string): Promise<void> {
  await mkdir(trash, { recursive: true, mode: 0o700 })
  const target = join(trash, randomBytes(8).toString('hex'))
  try {
    await rename(folder, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  await removeAll(target)
}

/** Node.js cannot remove folders that are deeper than a path is long. The next sweep tries again what fails. */
async function removeAll(path: string): Promise<void> {
  try {
    await execute('rm', ['-rf', '--', path])
  } catch {
    // Folders without permissions, as some tools leave them.
    await execute('chmod', ['-R', 'u+rwX', '--', path]).catch(() => null)
    await execute('rm', ['-rf', '--', path]).catch(() => null)
  }
}

async function own(folder: string, trash: string): Promise<BuildFolder> {
  const file = join(folder, OWNER_FILE)
  await writeFile(file, JSON.stringify(await describeProcess(process.pid)))
  const inner = join(folder, randomBytes(8).toString('hex'))
  await mkdir(inner, { mode: 0o700 })
  const handle = await open(file, 'r+')
  const timer = setInterval(() => {
    const now = fileTimeMs() / 1_000
    handle.utimes(now, now).catch(() => clearInterval(timer))
  }, HEARTBEAT_MS)
  timer.unref()
  return {
    folder: inner,
    async release() {
      clearInterval(timer)
      await handle.close()
      if (await isThere(inner)) await discard(folder, trash)
    },
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

type ProcessIdentity = { readonly space: string; readonly pid: number; readonly startedAt: string }

/** The namespace and the start time make the number unique. Null if there is no such process. */
async function describeProcess(pid: number): Promise<ProcessIdentity | null> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    const space = `${boot} ${await readlink('/proc/self/ns/pid')}`
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
    return { space, pid, startedAt: fields[19] ?? '' }
  } catch {
    return null
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const file = join(folder, OWNER_FILE)
  try {
    // Without the file, the owner is about to write it, or died before.
    const seen = await stat(file).catch(() => stat(folder))
    if (fileTimeMs() - seen.mtimeMs > STALE_MS) return true
    const owner = JSON.parse(await readFile(file, 'utf8')) as ProcessIdentity
    const ours = await describeProcess(process.pid)
    if (ours === null || owner.space !== ours.space) return false
    return (await describeProcess(owner.pid))?.startedAt !== owner.startedAt
  } catch {
    return false
  }
}

async function tryCreate(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

export const listFolder = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
