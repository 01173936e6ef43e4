// How long the balance lasts at the pace of the last seven days.
import type { MeUsageReply } from '@cowrie/sdk'

const DAY_MS = 86_400_000
const LOOKED_AT_DAYS = 7
const MOST_DAYS = 365

export type DaysLeft = { days: number; until: Date; isLonger: boolean }

/** Null where nothing was spent. */
export function daysLeft(
  leftMinor: bigint,
  byDay: MeUsageReply['totals']['byDay'],
  now: Date,
): DaysLeft | null {
  const since = isoDay(now.getTime() - (LOOKED_AT_DAYS - 1) * DAY_MS)
  const burnt = byDay.filter(({ day }) => day >= since).reduce((sum, { costMinor }) => sum + costMinor, 0n)
  if (burnt <= 0n) return null
  const exact = (leftMinor * BigInt(LOOKED_AT_DAYS)) / burnt
  const isLonger = exact > BigInt(MOST_DAYS)
  const days = isLonger ? MOST_DAYS : Number(exact)
  return { days, until: new Date(now.getTime() + days * DAY_MS), isLonger }
}

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
