// The words request and reply shapes are written in. Each knows how it looks on the wire.
import { z } from 'zod'
import { isAscii, normaliseEmail } from '../../kernel/email.ts'
import { DecimalText } from '../../kernel/json.ts'
import { INT64_MAX, INT64_MIN } from '../../kernel/money.ts'

type Wire = Record<string, unknown>

/** How a shape is printed where its wire form differs from what the handler sees. */
export const wireOf = (shape: z.ZodType): Wire | undefined => shape.meta()?.wire as Wire | undefined

const WHOLE_MINOR = 'a whole number of minor units, written without fraction or exponent'

/** Money on the wire: an exact integer in the body, a bigint for us. */
export const minor = (min: bigint = INT64_MIN, max: bigint = INT64_MAX) =>
  z
    .custom<bigint | number>((value) => typeof value === 'bigint' || Number.isSafeInteger(value), {
      error: `must be ${WHOLE_MINOR}`,
    })
    .transform((value) => BigInt(value))
    .refine((value) => value >= min && value <= max, { error: `must be from ${min} to ${max}` })
    // As bigints, which print every digit: a bound of 64 bits is no number of JavaScript's.
    .meta({ wire: { type: 'integer', format: 'int64', minimum: min, maximum: max } })

/** Money in a reply. */
export const minorOut = z.bigint().meta({ wire: { type: 'integer', format: 'int64', examples: [950000] } })

const isMajor = (value: unknown): boolean =>
  value instanceof DecimalText
    ? /^\d{1,16}(\.\d{1,30})?$/.test(value.source)
    : Number.isSafeInteger(value) && Number(value) >= 0

/**
 * An amount in major units, as a person writes it, digit by digit as it was sent. What it is in minor units depends on
 * the currency: `fromMajor` says, and null there is a refusal of the handler's.
 */
export const major = () =>
  z
    .custom<DecimalText | number>(isMajor, {
      error: 'must be an amount in major units, not negative, of at most 16 digits and without exponent',
    })
    .transform((value) => (value instanceof DecimalText ? value.source : String(value)))
    .meta({ wire: { type: 'number', minimum: 0, examples: [5000] } })

export const text = (max: number, min = 1) => z.string().min(min).max(max)

/** Words that mean something: not only blanks. */
export const words = (max: number) =>
  text(max).refine((value) => /\S/.test(value), { error: 'must not be blank' })
// Characters that end a line, hide, or turn the reading of others round.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** One line as a person writes it: a name, a title. What surrounds it is cut off. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((value) => !UNSEEN.test(value), { error: 'must be one line of plain text' })

const ADDRESS =
  /^[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+@[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+\.[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+$/u

/**
 * The form that we keep may be longer or have another @, so that is what is looked at. A domain with an empty part would be a
 * second name for another, and a letter of another script makes an address that looks like somebody else's.
 */
const isAddress = (value: string): boolean => {
  const kept = normaliseEmail(value)
  const labels = kept.slice(kept.lastIndexOf('@') + 1).split('.')
  const isWhole = ADDRESS.test(value) && ADDRESS.test(kept) && !labels.includes('')
  return isWhole && kept.length <= 254 && isAscii(kept)
}

export const email = z
  .string()
  .max(254)
  .refine(isAddress, { error: 'must be an email address' })
  .meta({ wire: { type: 'string', format: 'email', examples: ['ada@example.com'] } })

export const timestamp = z
  .date()
  .meta({ wire: { type: 'string', format: 'date-time', examples: ['2026-11-15T09:00:00.000Z'] } })

const digits = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be from ${min} to ${max}` })

/** A whole number in a query string. */
export const queryInteger = (min: number, max: number) =>
  digits(min, max).meta({ wire: { type: 'integer', minimum: min, maximum: max } })

export const queryFlag = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => value === 'true' || value === '1')
  .meta({ wire: { type: 'boolean' } })

/** Whether the database can hold an instant: its years begin with 1, and we write four digits. */
const isStorable = (instant: Date): boolean =>
  instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999

/** The platform rolls 31 February over to March; nobody means that. */
const isCalendarDay = (date: string): boolean =>
  new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(8))

export const queryTime = z
  .string()
  .max(40)
  .refine(
    (value) =>
      /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(value) &&
      isCalendarDay(value.slice(0, 10)) &&
      isStorable(new Date(value)),
    {
      error: 'must be an ISO 8601 date or date-time',
    },
  )
  .transform((value) => new Date(value))
  .meta({ wire: { type: 'string', format: 'date-time' } })

/** The query of every list: how many, and where the last page ended. */
export const pageQuery = (max = 200) => ({
  limit: queryInteger(1, max).default(50),
  cursor: z.string().min(1).max(200).optional(),
})

export const ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' })

/** The query parameter by which staff name another organisation. See `requestedOrg`. */
export const orgIdQuery = text(64).optional().meta({
  description: 'Your own organisation by default; another one is for platform staff only.',
})
