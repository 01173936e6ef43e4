// Calendar months, implemented independently of the service with a table of month lengths, so that a bug is not repeated
// here.

const SECOND_MS = 1_000

export const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** `month` counts from 0. */
export const daysIn = (year: number, month: number): number =>
  month === 1 && isLeap(year) ? 29 : (LENGTHS[month] ?? 0)

/** The same day and time `months` later, or the last day of a shorter month. */
export function monthsLater(from: Date, months: number): Date {
  const [year = '', month = '', day = ''] = from.toISOString().slice(0, 10).split('-')
  const count = Number(year) * 12 + (Number(month) - 1) + months
  const [toYear, toMonth] = [Math.floor(count / 12), count % 12]
  const toDay = Math.min(Number(day), daysIn(toYear, toMonth))
  const date = [String(toYear).padStart(4, '0'), two(toMonth + 1), two(toDay)].join('-')
  return new Date(`${date}${from.toISOString().slice(10)}`)
}

/** The number of whole months between `from` and `at`, at least 0. */
export function monthsPassed(from: Date, at: Date): number {
  let passed = 0
  while (monthsLater(from, passed + 1) <= at) passed++
  return passed
}

/** The number of the month after `from` that starts exactly at `at`. Null if none does. */
export function monthNumber(from: Date, at: Date): number | null {
  const passed = monthsPassed(from, at)
  return monthsLater(from, passed).getTime() === at.getTime() ? passed : null
}

export const secondsBetween = (from: Date, to: Date): bigint =>
  BigInt(Math.floor((to.getTime() - from.getTime()) / SECOND_MS))

export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS)

const two = (number: number): string => String(number).padStart(2, '0')
