// Where the databases of tests live: in memory where there is room. Every test file takes a copy of a whole database,
// which a disk may make it wait for longer than for all else. What a kill leaves behind is the same in both.
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times what a run needs; containers often have far less there. */
const ROOM_BYTES = 3 * 2 ** 30
const NAME = /^cowrie-test-(\d+)-/

/** A folder of this process alone. */
export function scratchFolder(): string {
  const inMemory = hasRoom(MEMORY)
  if (inMemory) forgetTheDead()
  return mkdtempSync(join(inMemory ? MEMORY : tmpdir(), `cowrie-test-${process.pid}-`))
}

/** What runs left that were killed: in memory nobody else ever tidies. */
function forgetTheDead(): void {
  for (const name of readdirSync(MEMORY)) {
    const [, owner] = NAME.exec(name) ?? []
    if (owner && !isAlive(Number(owner))) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > ROOM_BYTES
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
