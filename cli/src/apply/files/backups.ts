// Copies of files before a change, when git is not used: plain files that the user can copy back.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Step } from './journal.ts'

const KEPT_MAX = 20
const TRIES_MAX = 10

/** The folder with the copies. */
export async function copyBefore(home: string, id: string, steps: readonly Step[]): Promise<string> {
  const folder = await makeFolder(join(home, 'copies'), id)
  for (const { path, before } of steps) {
    if (!before) continue
    await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
    await writeFile(join(folder, path), before.text, { mode: before.mode & 0o700, flag: 'wx', flush: true })
  }
  return folder
}

async function makeFolder(copies: string, id: string): Promise<string> {
  await mkdir(copies, { recursive: true, mode: 0o700 })
  for (let tries = 0; ; tries++) {
    const names = (await readdir(copies)).sort()
    const number = Number.parseInt(names.at(-1) ?? '0', 10) + 1
    const folder = join(copies, `${String(number).padStart(6, '0')}-${id}`)
    try {
      await mkdir(folder, { mode: 0o700 })
    } catch (error) {
      // Another command may have taken the number.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST' && tries < TRIES_MAX) continue
      throw error
    }
    for (const old of names.slice(0, Math.max(0, names.length - KEPT_MAX + 1)))
      await rm(join(copies, old), { recursive: true, force: true })
    return folder
  }
}
