// Parts of the webhook payloads of code hosts, within the limits of our tables.
import { z } from 'zod'

export const pullNumber = z.int().positive().max(2_000_000_000)

/** Our tables store no zero bytes, and a name has no control characters. */
export const hostName = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u)

const [YEAR_MIN, YEAR_MAX] = [1970, 9999]

/** Null for a time that cannot be read or stored. Then the time of the delivery counts. */
export function readHostTime(text: string): Date | null {
  const date = new Date(text)
  const year = date.getUTCFullYear()
  return year >= YEAR_MIN && year <= YEAR_MAX ? date : null
}
