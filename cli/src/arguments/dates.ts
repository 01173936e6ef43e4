// Parses dates on the command line: a day, an instant or an age.
import { UsageError } from '../errors.ts'

const UNITS_MS = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const
type Unit = keyof typeof UNITS_MS

/** `2026-11-01` (in UTC), `2026-11-01T09:00:00Z`, or `24h`, `7d`, `2w` ago. */
export function parseDate(text: string, now: Date, option: string): string {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(text) ?? []
  if (count !== undefined && isUnit(unit))
    return new Date(now.getTime() - Number(count) * UNITS_MS[unit]).toISOString()
  const at = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : null
  // Reject days such as 31 November, which Date would accept.
  if (at === null || Number.isNaN(at.getTime()) || (text.length === 10 && dayOf(at) !== text))
    throw new UsageError(
      `${option} must be a day such as 2026-11-01, an instant, or an age such as 7d or 24h.`,
    )
  return at.toISOString()
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
const isUnit = (unit: string | undefined): unit is Unit => unit !== undefined && Object.hasOwn(UNITS_MS, unit)
