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

/** `size`: the folder is too large. `disk`: the disk is almost full, for any reason. */
export type SizeExcess = 'size' | 'disk'

const FREE_CHECK_MS = 100
const MEASURE_MS = 400
/** Measuring takes at most this part of the time. */
const PAUSE_PER_MEASURE = 3

const execute = promisify(execFile)

/** Bytes on disk, as blocks. */
export const measureBytes = async (folder: string): Promise<number> => (await measure(folder)).bytes

/** One shell for both sums, because starting a process from a large one is slow. */
async function measure(folder: string): Promise<{ bytes: number; entries: number }> {
  const script = 'du -s --block-size=1 -- "$1"; du -s --inodes -- "$1"'
  // Files may disappear meanwhile: the sums are printed all the same.
  const { stdout } = await execute('sh', ['-c', script, 'sh', folder]).catch(
    (error: { stdout?: string }) => ({
      stdout: error.stdout ?? '',
    }),
  )
  const [bytes = 0, entries = 0] = stdout.split('\n').map((line) => Number(/^\d+/.exec(line)?.[0] ?? 0))
  return { bytes, entries }
}

async function isTooLarge(folder: string, limits: SizeLimits): Promise<boolean> {
  const { bytes, entries } = await measure(folder)
  return bytes > limits.bytes || entries > limits.entries
}

const FREE_ENTRIES = 100_000

async function isDiskLow(folder: string, { freeBytes }: SizeLimits): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  // Some file systems have no fixed number of entries.
  return bavail * bsize < freeBytes || (files > 0 && ffree < FREE_ENTRIES)
}

export type SizeWatch = {
  /** Measures a last time. The limit that was exceeded at any time, if any. */
  close(): Promise<SizeExcess | null>
}

/** Calls `stop` once when a limit is exceeded. */
export function watchSize(folder: string, limits: SizeLimits, stop: () => void): SizeWatch {
  let excess: SizeExcess | null = null
  const timers = new Set<NodeJS.Timeout>()
  let isClosed = false
  const repeat = (kind: SizeExcess, check: () => Promise<boolean>, pauseMs: number) => {
    const timer = setTimeout(async () => {
      timers.delete(timer)
      const startedAt = performance.now()
      const isExceeded = await check().catch(() => false)
      if (isClosed || excess !== null) return
      if (!isExceeded) {
        repeat(kind, check, Math.max(pauseMs, (performance.now() - startedAt) * PAUSE_PER_MEASURE))
        return
      }
      excess = kind
      stop()
    }, pauseMs)
    timers.add(timer)
  }
  repeat('disk', () => isDiskLow(folder, limits), FREE_CHECK_MS)
  repeat('size', () => isTooLarge(folder, limits), MEASURE_MS)
  return {
    async close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      return excess ?? ((await isTooLarge(folder, limits)) ? 'size' : null)
    },
  }
}
