// Marks folders as in use, for all processes that share the disk. A mark is a file whose time is renewed while the process
// lives, so the marks of a killed process expire.
import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../platform/app.ts'
import { codeOf } from './error-code.ts'

const LEASE_MS = 5 * 60_000
const RENEW_MS = 60_000

export class Leases {
  private readonly paths = new Set<string>()
  private timer: NodeJS.Timeout | null = null
  private readonly app: Pick<App, 'clock' | 'log'>

  constructor(app: Pick<App, 'clock' | 'log'>) {
    this.app = app
  }

  /** A new mark in a folder. Null if the folder does not exist. */
  async create(folder: string): Promise<string | null> {
    const path = join(folder, randomUUID())
    return (await this.createAt(path)) ? path : null
  }

  async createAt(path: string): Promise<boolean> {
    try {
      await writeFile(path, '')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    }
    this.paths.add(path)
    this.timer ??= setInterval(() => void this.renew(), RENEW_MS).unref()
    await this.touch(path)
    return true
  }

  async remove(path: string): Promise<void> {
    this.paths.delete(path)
    if (this.paths.size === 0 && this.timer) {
      clearInterval(this.timer)
      this.timer = null
    }
    await rm(path, { force: true })
  }

  /** After its folder was renamed. */
  rename(from: string, to: string): void {
    if (this.paths.delete(from)) this.paths.add(to)
  }

  async isLive(path: string): Promise<boolean> {
    const at = await timeOf(path)
    return at !== null && (this.paths.has(path) || this.isFresh(at))
  }

  isFresh(at: number, withinMs = LEASE_MS): boolean {
    return at > this.app.clock.now().getTime() - withinMs
  }

  async isAnyLive(folder: string): Promise<boolean> {
    for (const name of await readdir(folder).catch(() => []))
      if (await this.isLive(join(folder, name))) return true
    return false
  }

  /** Sets the time of a file or folder. One that is gone stays gone. */
  async touch(path: string): Promise<void> {
    const now = this.app.clock.now()
    try {
      await utimes(path, now, now)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }

  private async renew(): Promise<void> {
    for (const path of this.paths)
      await this.touch(path).catch((error: unknown) =>
        this.app.log.warn({ error }, 'tasks.repository.lease_renewal_failed'),
      )
  }
}

/** Null if there is no such file. */
export async function timeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return null
    throw error
  }
}
