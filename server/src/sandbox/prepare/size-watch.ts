// Stops an installation that fills our disk. Nothing in the kernel limits the size of a folder for us, so it is
// measured again and again.
import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

export type SizeLimits = {
  readonly bytes: number
  readonly entries: number
  /** The disk keeps at least this. */
  readonly freeBytes: number
}

const FREE_CHECK_MS = 100
const MEASURE_MS = 400
/** Measuring takes at most this part of the time. */
const PAUSE_PER_MEASURE = 3

const execute = promisify(execFile)

/** Bytes on disk, as blocks. */
export const measureBytes = (folder: string): Promise<number> => measure(['-s', '--block-size=1', folder])

async function measure(words: readonly string[]): Promise<number> {
  // Files may disappear meanwhile: the sum is printed all the same.
  const { stdout } = await execute('du', words).catch((error: { stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }))
  return Number(/^\d+/.exec(stdout)?.[0] ?? 0)
}

async function isTooLarge(folder: string, limits: SizeLimits): Promise<boolean> {
  if ((await measureBytes(folder)) > limits.bytes) return true
  return (await measure(['-s', '--inodes', folder])) > limits.entries
}

async function isDiskLow(folder: string, { freeBytes }: SizeLimits): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < freeBytes
}

export type SizeWatch = {
  /** Measures a last time. True if a limit was exceeded at any time. */
  close(): Promise<boolean>
}

/** Calls `stop` once when a limit is exceeded. */
export function watchSize(folder: string, limits: SizeLimits, stop: () => void): SizeWatch {
  let isOver = false
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false
  const repeat = (check: () => Promise<boolean>, pauseMs: number) => {
    const timer = setTimeout(async () => {
      timers.delete(timer)
      const startedAt = performance.now()
      const isExceeded = await check().catch(() => false)
      if (isClosed || isOver) return
      if (!isExceeded) {
        repeat(check, Math.max(pauseMs, (performance.now() - startedAt) * PAUSE_PER_MEASURE))
        return
      }
      isOver = true
      stop()
    }, pauseMs)
    timers.add(timer)
  }
  repeat(() => isDiskLow(folder, limits), FREE_CHECK_MS)
  repeat(() => isTooLarge(folder, limits), MEASURE_MS)
  return {
    async close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      return isOver || (await isTooLarge(folder, limits))
    },
  }
}
