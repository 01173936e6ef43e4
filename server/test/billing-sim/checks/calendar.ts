// Months as a person with a calendar counts them, written apart from the service's own way so that one mistake is not
// made twice: a list of month lengths, and counting.

const SECOND_MS = 1_000

export const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/** Months from 0. */
export const daysIn = (year: number, month: number): number =>
  month === 1 && isLeap(year) ? 29 : (LENGTHS[month] ?? 0)

/** The same day and time so many months later; the last day of a month that has no such day. */
export function monthsLater(from: Date, months: number): Date {
  const [year = '', month = '', day = ''] = from.toISOString().slice(0, 10).split('-')
  const count = Number(year) * 12 + (Number(month) - 1) + months
  const [toYear, toMonth] = [Math.floor(count / 12), count % 12]
  const toDay = Math.min(Number(day), daysIn(toYear, toMonth))
  const date = [String(toYear).padStart(4, '0'), two(toMonth + 1), two(toDay)].join('-')
  return new Date(`${date}${from.toISOString().slice(10)}`)
}

/** How many whole months after `from` an instant lies; 0 before the first. */
export function monthsPassed(from: Date, at: Date): number {
  let passed = 0
  while (monthsLater(from, passed + 1) <= at) passed++
  return passed
}

/** Which month after `from` begins exactly then, or null. */
export function monthNumber(from: Date, at: Date): number | null {
  const passed = monthsPassed(from, at)
  return monthsLater(from, passed).getTime() === at.getTime() ? passed : null
}

export const secondsBetween = (from: Date, to: Date): bigint =>
  BigInt(Math.floor((to.getTime() - from.getTime()) / SECOND_MS))

export const wholeSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS)

const two = (number: number): string => String(number).padStart(2, '0')
