// Where the databases of tests live: in memory where there is room. Every test file takes a copy of a whole database,
// which a disk may make it wait for longer than for all else. What a kill leaves behind is the same in both.
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times what a run needs; containers often have far less there. */
const ROOM_BYTES = 3 * 2 ** 30
/** Users share the folder, and none can delete what belongs to another. */
const PREFIX = `cowrie-test-u${process.getuid?.() ?? 0}-`
const NAME = new RegExp(`^${PREFIX}(\\d+)-`)

/** A folder of this process alone. */
export function scratchFolder(memory = MEMORY, roomBytes = ROOM_BYTES): string {
  const inMemory = hasRoom(memory, roomBytes)
  if (inMemory) removeLeftovers(memory)
  return mkdtempSync(join(inMemory ? memory : tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Deletes what killed runs of this user left: nothing else ever tidies a folder in memory. */
function removeLeftovers(memory: string): void {
  for (const name of readdirSync(memory)) {
    const [, owner] = NAME.exec(name) ?? []
    if (owner && !isAlive(Number(owner))) remove(join(memory, name))
  }
}

/** A leftover that cannot be deleted takes up memory, and is no reason to run no tests. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    process.stderr.write(`${path} could not be deleted (${(error as Error).message}). Delete it by hand.\n`)
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
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
