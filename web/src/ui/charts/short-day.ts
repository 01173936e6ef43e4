// "14 Nov". Usage days are days in UTC and are formatted as such.
import { locale } from '../../i18n/language.ts'

export const shortDay = (isoDay: string): string =>
  new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${isoDay}T00:00:00Z`),
  )
