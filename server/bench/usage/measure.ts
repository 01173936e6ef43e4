// Usage queries over millions of points, before and after the days are sealed into sums.
import { DisciplinedClock } from '../../src/kernel/clock.ts'
import { sealNext } from '../../src/metering/usage/seal.ts'
import { tokensByLane } from '../../src/metering/usage/sql.ts'
import { openDb } from '../../src/platform/db/open-db.ts'
import type { Db } from '../../src/platform/db/tx.ts'
import { bySession, type Caller } from '../http/requests.ts'
import { median, type Server } from '../http/rounds.ts'
import { makeTeam, postponeSealing, seedUsagePoints, vacuumUsageDays } from './sql.ts'

/** On a busy machine the fastest time is the most reliable. A refused answer took at least the recorded time. */
export type Times = { fastestMs: number; p50Ms: number; p95Ms: number; refused: number }
export type UsageLine = { what: string; summed: Times; raw: Times }
export type UsageReport = {
  points: number
  days: number
  fillSeconds: number
  lines: UsageLine[]
  sealing: { firstMs: number; week: Times; day: Times }
}
export type UsageBench = { url: string; ours: Server; callers: Caller[]; quick: boolean }

type UsageQuery = {
  what: string
  /** Resolves to false if the statement timed out. */
  run: () => Promise<boolean>
}

const POINTS = 10_000_000
const POINTS_QUICK = 500_000
const WARM_UPS = 5
const MOST = 200
const AT_MOST_MS = 4_000
const WEEKS = 48

export async function measureUsage({ url, ours, callers, quick }: UsageBench): Promise<UsageReport> {
  const clock = new DisciplinedClock()
  const owner = openDb(url, { clock, max: 1, statementTimeoutMs: 600_000 })
  const db = openDb(url, { clock, max: 2, role: 'cowrie_app', statementTimeoutMs: 60_000 })
  const [heavy, light, ...team] = callers as [Caller, Caller, Caller, ...Caller[]]
  const users = team.map(({ userId }) => userId)
  try {
    await postponeSealing(owner.direct)
    const teamId = await makeTeam(owner.direct, users)
    process.stderr.write('filling a year of usage …\n')
    const points = quick ? POINTS_QUICK : POINTS
    const filledMs = await timed(() =>
      seedUsagePoints(owner.direct, { heavy: heavy.userId, light: light.userId, team: users }, points),
    )
    const asks: UsageQuery[] = [
      ...ownAsks(ours, 'heavy user', heavy),
      ...ownAsks(ours, 'light user', light),
      {
        what: `team of ${users.length}, this month`,
        run: () => read(ours, team[0], `/teams/${teamId}/usage`),
      },
      { what: 'tokens by lane, last day, all organisations', run: () => lastDay(db) },
    ]
    process.stderr.write('measuring usage without sums …\n')
    const raw = await measureAll(asks)
    process.stderr.write('sealing …\n')
    const sealing = await sealAll(db)
    const days = await vacuumUsageDays(owner.direct)
    process.stderr.write('measuring usage with sums …\n')
    const summed = await measureAll(asks)
    const none = { fastestMs: Number.NaN, p50Ms: Number.NaN, p95Ms: Number.NaN, refused: 0 }
    const lines = asks.map(({ what }, i) => ({ what, summed: summed[i] ?? none, raw: raw[i] ?? none }))
    return { points, days, fillSeconds: filledMs / 1_000, lines, sealing }
  } finally {
    await db.close()
    await owner.close()
  }
}

export function usageText(report: UsageReport, table: (rows: string[][]) => string): string {
  const { points, days, fillSeconds, lines, sealing } = report
  return [
    table([
      [
        `usage, ${points} points`,
        'p50 ms',
        'p95',
        'fastest',
        'unsealed p50',
        'p95',
        'fastest',
        'ratio of p50',
        'refused',
      ],
      ...lines.map(({ what, summed, raw }) => [
        what,
        ...[summed, raw].flatMap(({ p50Ms, p95Ms, fastestMs }) =>
          [p50Ms, p95Ms, fastestMs].map((ms) => ms.toFixed(1)),
        ),
        (raw.p50Ms / summed.p50Ms).toFixed(1),
        `${summed.refused} and ${raw.refused}`,
      ]),
    ]),
    `A year has ${days} rows. Sealing a day took ${sealing.day.p50Ms.toFixed(0)} ms (p95 ${sealing.day.p95Ms.toFixed(0)}), seven days at once ${sealing.week.p50Ms.toFixed(0)} ms, and the first day, which searches for the oldest point, ${sealing.firstMs.toFixed(0)} ms. Filling took ${fillSeconds.toFixed(0)} s.`,
  ].join('\n\n')
}

function ownAsks(ours: Server, who: string, caller: Caller): UsageQuery[] {
  const from = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  return [30, 366].map((days) => ({
    what: `${who}, ${days} days`,
    // A little less than the full number of days, because the end of the range is evaluated later.
    run: () => read(ours, caller, `/me/usage?from=${from(days - 0.01)}`),
  }))
}

async function read({ port }: Server, caller: Caller, path: string): Promise<boolean> {
  const headers = Object.fromEntries(bySession(caller).map((line) => line.split(': ')))
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  const text = await response.text()
  if (response.status === 503) return false
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text}`)
  return true
}

async function lastDay(db: Db): Promise<boolean> {
  await db.tx('platform', (tx) => tokensByLane(tx, new Date(tx.now.getTime() - 86_400_000)))
  return true
}

async function measureAll(asks: readonly UsageQuery[]): Promise<Times[]> {
  const all: Times[] = []
  for (const { run } of asks) {
    const warmedBy = performance.now() + AT_MOST_MS
    for (let i = 0; i < WARM_UPS && performance.now() < warmedBy; i++) await run()
    const tookMs: number[] = []
    let refused = 0
    const endAt = performance.now() + AT_MOST_MS
    while (tookMs.length < MOST && performance.now() < endAt)
      tookMs.push(
        await timed(async () => {
          if (!(await run())) refused++
        }),
      )
    all.push(timesOf(tookMs, refused))
  }
  return all
}

/** Seals most of the year in weeks, as the job catches up, and the last days one by one, as in regular operation. */
async function sealAll(db: Db): Promise<UsageReport['sealing']> {
  const seal = (most: number) => db.tx('platform', (tx) => sealNext(tx, most))
  const firstMs = await timed(() => seal(1))
  const weeksMs: number[] = []
  for (let week = 0; week < WEEKS; week++) weeksMs.push(await timed(() => seal(7)))
  const daysMs: number[] = []
  for (let isLast = false; !isLast; )
    daysMs.push(
      await timed(async () => {
        isLast = (await seal(1)) === 0
      }),
    )
  return { firstMs, week: timesOf(weeksMs, 0), day: timesOf(daysMs.slice(0, -1), 0) }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

const timesOf = (tookMs: number[], refused: number): Times => ({
  refused,
  fastestMs: Math.min(...tookMs),
  p50Ms: median(tookMs),
  p95Ms: tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * 0.95)] ?? Number.NaN,
})
