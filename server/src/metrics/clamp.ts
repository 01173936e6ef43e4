// JSON numbers of the API have 64 bits. Amounts of one currency always fit; the sum of all in kobo may not.
import { INT64_MAX, INT64_MIN } from '../kernel/money.ts'

/** Clamps larger numbers to the 64-bit limits, and sets `clamped` if any was. */
export function clampToInt64<T extends object>(figures: T): T & { clamped: boolean } {
  let clamped = false
  const fit = (value: unknown): unknown => {
    if (typeof value === 'bigint') {
      const fitting = value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value
      clamped ||= fitting !== value
      return fitting
    }
    if (Array.isArray(value)) return value.map(fit)
    if (typeof value !== 'object' || value === null || value instanceof Date) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fit(each)]))
  }
  const fits = fit(figures) as T
  return { ...fits, clamped }
}
