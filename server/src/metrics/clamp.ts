// Numbers on the wire have 64 bits. Those of one currency always fit; in kobo the sum of all may not.
import { INT64_MAX, INT64_MIN } from '../kernel/money.ts'

/** The figures as they are told: a sum beyond 64 bits is the largest number there is, and `clamped` says so. */
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
