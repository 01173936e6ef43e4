// Temporary folders for test databases: in memory if there is room, because copying a database to disk can be slow. A killed
// process leaves the same files in both.
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times the space that a run needs. Containers often have far less. */
const ROOM_BYTES = 3 * 2 ** 30
/** Per user, because users share the folder and cannot delete each other's files. */
const PREFIX = `cowrie-test-u${process.getuid?.() ?? 0}-`
const NAME = new RegExp(`^${PREFIX}(\\d+)-`)

/** A folder for this process. */
export function scratchFolder(memory = MEMORY, roomBytes = ROOM_BYTES): string {
  const inMemory = hasRoom(memory, roomBytes)
  if (inMemory) removeLeftovers(memory)
  return mkdtempSync(join(inMemory ? memory : tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Deletes folders of killed runs of this user. Nothing else cleans them up. */
function removeLeftovers(memory: string): void {
  for (const name of readdirSync(memory)) {
    const [, owner] = NAME.exec(name) ?? []
    if (owner && !isAlive(Number(owner))) remove(join(memory, name))
  }
}

/** A folder that cannot be deleted only uses memory, so the tests still run. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    process.stderr.write(`${path} could not be deleted (${(error as Error).message}). Delete it manually.\n`)
  }
}

function hasRoom(folder: string, roomBytes: number): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > roomBytes
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
