// The cost of work on this thread, measured against a fixed reference in the same run: a slow or busy machine slows down both.

/** Short work is repeated, because its first run includes compilation and any run may include a garbage collection. */
const RUNS_MAX = 3
const ENOUGH_COST = 150
/** Long enough for kernels that count CPU time in ticks of 4 ms. */
const ROUNDS = 200
/** Makes a unit about a millisecond on a current machine. */
const UNITS_PER_REFERENCE = 40
const UNIT_FRESH_MS = 500
const SOURCE = 'const price = total(items[3], "kobo") // 1_500 of it\n'.repeat(100)

let unit = { ms: 0, atMs: Number.NEGATIVE_INFINITY }

/**
 * The CPU time of `work` in units of the reference, the best of several runs. Code that remembers results needs other input in each
 * run.
 */
export function measureCost(work: (run: number) => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0, spent = 0; run < RUNS_MAX && spent < ENOUGH_COST; run++) {
    const end = startRun()
    work(run)
    const cost = end()
    best = Math.min(best, cost)
    spent += cost
  }
  return best
}

/** As `measureCost`, of one run of asynchronous work. Counts this thread only. */
export async function measureAsyncCost(work: () => Promise<unknown>): Promise<number> {
  const end = startRun()
  await work()
  return end()
}

/** Returns a function that ends the run and returns its cost. */
function startRun(): () => number {
  const unitBefore = currentUnitMs()
  const before = process.threadCpuUsage()
  return () => {
    const ms = elapsedMs(before)
    return ms / Math.max(unitBefore, currentUnitMs())
  }
}

/** The CPU time of one unit, measured again after a while because the speed of a shared machine changes. */
function currentUnitMs(): number {
  if (performance.now() - unit.atMs < UNIT_FRESH_MS) return unit.ms
  // Compiled first.
  if (unit.ms === 0) runReference()
  const before = process.threadCpuUsage()
  runReference()
  unit = { ms: elapsedMs(before) / UNITS_PER_REFERENCE, atMs: performance.now() }
  return unit.ms
}

/** Scans, compares, counts and copies text, like the code that is measured. */
function runReference(): number {
  const words = new Map<string, number>()
  let checksum = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (const [word] of SOURCE.matchAll(/[a-z]+|\d[\d_]*/g)) words.set(word, (words.get(word) ?? 0) + round)
    for (let at = 0; at < SOURCE.length; at++) checksum = (checksum * 31 + SOURCE.charCodeAt(at)) | 0
    checksum += SOURCE.split('\n').map((line) => line.trimEnd()).length
  }
  return checksum + words.size
}

function elapsedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
