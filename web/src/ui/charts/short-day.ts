// "14 Nov": a day of a series. Days of usage are those of UTC, and are written as such.
import { locale } from '../../i18n/language.ts'

export const shortDay = (isoDay: string): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${isoDay}T00:00:00Z`),
  )
