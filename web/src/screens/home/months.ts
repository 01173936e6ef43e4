// This month and the one before, in UTC as usage is counted.

const isoDay = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

export const startOfLastMonth = (now: Date): string =>
  `${isoDay(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)}T00:00:00Z`

export type MonthSpend = {
  /** Each day of this month, with the same day of the month before. Days to come have no cost. */
  days: { day: string; costMinor: bigint; beforeMinor: bigint }[]
  sumMinor: bigint
  /** The month before up to the same day. */
  beforeMinor: bigint
}

export function monthSpend(byDay: readonly { day: string; costMinor: bigint }[], now: Date): MonthSpend {
  const costs = new Map(byDay.map(({ day, costMinor }) => [day, costMinor]))
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const lengthBefore = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const days = Array.from({ length }, (_, at) => {
    const day = isoDay(year, month, at + 1)
    const before = at < lengthBefore ? isoDay(year, month - 1, at + 1) : ''
    return { day, costMinor: costs.get(day) ?? 0n, beforeMinor: costs.get(before) ?? 0n }
  })
  const upToNow = days.slice(0, now.getUTCDate())
  return {
    days,
    sumMinor: days.reduce((sum, { costMinor }) => sum + costMinor, 0n),
    beforeMinor: upToNow.reduce((sum, { beforeMinor }) => sum + beforeMinor, 0n),
  }
}
