// Instants as a document says them: in the time of the buyer's country and in that of the world.
import { zoneOf } from './countries.ts'

/** Local time first, where the country is known and its time is another. */
export function sayInstant(at: Date, country: string | null): string[] {
  const zone = country === null ? null : zoneOf(country)
  const universal = say(at, 'UTC')
  const local = zone === null ? universal : say(at, zone)
  if (zone === null || local === universal) return [`${universal} UTC`]
  return [`${local} ${offsetOf(at, zone)}`, `${universal} UTC`]
}

const say = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
    .format(at)
    .replace(' at ', ', ')

const offsetOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
