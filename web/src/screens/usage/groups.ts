// Groups usage by day, source, lane or model.
import type { MeUsageReply } from '@cowrie/sdk'
import type { Bar } from '../../ui/charts/bars-data.ts'

export type Point = MeUsageReply['points'][number]
export type UsageGrouping = 'day' | 'source' | 'lane' | 'model'
export type UsageChart = { series: string[]; bars: Bar[] }

/** The longest list that the service sends. Beyond it the totals are exact but the list is not. */
const LISTED_MAX = 1_000
const DAY_MS = 86_400_000

export const isWhole = ({ points }: MeUsageReply): boolean => points.length < LISTED_MAX

const dayOf = ({ at }: Point): string => at.slice(0, 10)

/** Whether a point belongs to a bar. */
export const isIn = (point: Point, by: UsageGrouping, id: string): boolean => keyOf(point, by) === id

const keyOf = (point: Point, by: UsageGrouping): string => (by === 'day' ? dayOf(point) : point[by])

/** `series` are the sources where days are split by them; empty where a bar is one total. */
export function grouped(usage: MeUsageReply, by: UsageGrouping): UsageChart {
  if (by === 'day') return byDay(usage)
  const sums = by === 'model' ? modelSums(usage) : Object.entries(usage.totals[TOTALS[by]])
  const bars = sums
    .map(([id, { costMinor }]) => ({ id, name: id, values: [costMinor] }))
    .sort((a, b) => Number((b.values[0] ?? 0n) - (a.values[0] ?? 0n)))
  return { series: [], bars }
}

export type UsageTotal = { id: string; tokens: number; costMinor: bigint }

/** Highest first. Models are summed from the list of points. */
export function sumsOf(usage: MeUsageReply, by: 'source' | 'model'): UsageTotal[] {
  const sums = by === 'model' ? modelSums(usage) : Object.entries(usage.totals.bySource)
  return sums
    .map(([id, { tokens, costMinor }]) => ({ id, tokens, costMinor }))
    .sort((a, b) => Number(b.costMinor - a.costMinor))
}

const TOTALS = { source: 'bySource', lane: 'byLane' } as const

function modelSums({ points }: MeUsageReply): [string, { tokens: number; costMinor: bigint }][] {
  const sums = new Map<string, { tokens: number; costMinor: bigint }>()
  for (const { model, tokens, costMinor } of points) {
    const before = sums.get(model) ?? { tokens: 0, costMinor: 0n }
    sums.set(model, { tokens: before.tokens + tokens, costMinor: before.costMinor + costMinor })
  }
  return [...sums]
}

function byDay(usage: MeUsageReply): UsageChart {
  const days = daysBetween(usage.from, usage.to)
  if (!isWhole(usage)) {
    const sums = new Map(usage.totals.byDay.map(({ day, costMinor }) => [day, costMinor]))
    return { series: [], bars: days.map((day) => ({ id: day, name: day, values: [sums.get(day) ?? 0n] })) }
  }
  const series = Object.keys(usage.totals.bySource).sort()
  const sums = new Map<string, bigint>()
  for (const point of usage.points) {
    const key = `${dayOf(point)} ${point.source}`
    sums.set(key, (sums.get(key) ?? 0n) + point.costMinor)
  }
  const bars = days.map((day) => ({
    id: day,
    name: day,
    values: series.map((source) => sums.get(`${day} ${source}`) ?? 0n),
  }))
  return { series, bars }
}

/** The cost of each day of the range. */
export function costsByDay({ from, to, totals }: MeUsageReply): bigint[] {
  const sums = new Map(totals.byDay.map(({ day, costMinor }) => [day, costMinor]))
  return daysBetween(from, to).map((day) => sums.get(day) ?? 0n)
}

/** Every day of the range in UTC, also without usage. */
function daysBetween(from: string, to: string): string[] {
  const first = Math.floor(Date.parse(from) / DAY_MS)
  const last = Math.floor((Date.parse(to) - 1) / DAY_MS)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) =>
    new Date((first + at) * DAY_MS).toISOString().slice(0, 10),
  )
}
