// Durations, dates and sizes in the language and region of the user.
import { locale } from './language.ts'
import { isolate } from './t.ts'

/** "45 seconds", "10 minutes". */
export function formatDuration(seconds: number, of = locale()): string {
  const [value, unit] = seconds < 100 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(of, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** "14 Nov 2026, 10:42", in the time zone of the user. */
export const formatDateTime = (iso: string): string =>
  isolate(
    new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso)),
  )

/** "14 Nov 2026". */
export const formatDate = (iso: string): string =>
  isolate(new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(iso)))

/** "10:42". */
export const formatTime = (at: Date): string =>
  new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(at)

/** "212 kB". */
export const formatBytes = (bytes: number): string =>
  new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: bytes < 1_000_000 ? 'kilobyte' : 'megabyte',
    maximumFractionDigits: bytes < 1_000_000 ? 0 : 1,
  }).format(bytes < 1_000_000 ? bytes / 1_000 : bytes / 1_000_000)
