// Building blocks of request and reply shapes, each with its wire format.
import { z } from 'zod'
import { isAscii, normaliseEmail } from '../../kernel/email.ts'
import { DecimalText } from '../../kernel/json.ts'
import { INT64_MAX, INT64_MIN } from '../../kernel/money.ts'

type Wire = Record<string, unknown>

/** The JSON Schema of a shape whose wire format differs from the value that the handler sees. */
export const wireOf = (shape: z.ZodType): Wire | undefined => shape.meta()?.wire as Wire | undefined

const WHOLE_MINOR = 'a whole number of minor units, written without fraction or exponent'

/** Money: an exact integer on the wire, a bigint in the handler. */
export const minor = (min: bigint = INT64_MIN, max: bigint = INT64_MAX) =>
  z
    .custom<bigint | number>((value) => typeof value === 'bigint' || Number.isSafeInteger(value), {
      error: `must be ${WHOLE_MINOR}`,
    })
    .transform((value) => BigInt(value))
    .refine((value) => value >= min && value <= max, { error: `must be from ${min} to ${max}` })
    // Bigints print every digit. A 64-bit bound does not fit a JavaScript number.
    .meta({ wire: { type: 'integer', format: 'int64', minimum: min, maximum: max } })

/** Money in a reply. */
export const minorOut = z.bigint().meta({ wire: { type: 'integer', format: 'int64', examples: [950000] } })

/** The cost of a charge that accumulates with others. */
export const exactCost = z
  .string()
  .nullable()
  .meta({
    description:
      'The cost without rounding, in minor units, where charges accumulate: `costMinor` is then 0 if earlier charges paid for it. Null for a charge that is rounded up by itself.',
    examples: ['0.3276'],
  })

const isMajor = (value: unknown): boolean =>
  value instanceof DecimalText
    ? /^\d{1,16}(\.\d{1,30})?$/.test(value.source)
    : Number.isSafeInteger(value) && Number(value) >= 0

/**
 * An amount in major units, with the exact digits that were sent. `fromMajor` converts it by currency; the handler
 * rejects the request where that returns null.
 */
export const major = () =>
  z
    .custom<DecimalText | number>(isMajor, {
      error: 'must be an amount in major units, not negative, of at most 16 digits and without exponent',
    })
    .transform((value) => (value instanceof DecimalText ? value.source : String(value)))
    .meta({ wire: { type: 'number', minimum: 0, examples: [5000] } })

export const text = (max: number, min = 1) => z.string().min(min).max(max)

/** Text that is not blank. */
export const words = (max: number) =>
  text(max).refine((value) => /\S/.test(value), { error: 'must not be blank' })
// Control characters, line separators and characters that change the reading direction.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

/** One trimmed line of text, such as a name or title. */
export const line = (max: number, min = 1) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine((value) => !UNSEEN.test(value), { error: 'must be one line of plain text' })

/** Lists of models in policies and API keys. */
export const modelPatterns = z
  .array(
    z
      .string()
      .regex(/^[^\s*]{0,200}\*?$/u, { error: 'must be a model id, or a pattern that ends in *' })
      .min(1),
  )
  .min(1)
  .max(100)
  .transform((patterns) => [...new Set(patterns)])
  .meta({
    wire: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: 100,
      examples: [['open', 'claude-*']],
    },
  })

const ADDRESS =
  /^[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+@[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+\.[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+$/u

/**
 * Checks the normalised form too, because it may be longer or contain another @. An empty domain label would be an alias
 * of another domain, and letters of other scripts allow look-alike addresses.
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

/** The database has no year 0, and our format has four digits. */
const isStorable = (instant: Date): boolean =>
  instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999

/** `Date` turns 31 February into a day in March; such input is rejected. */
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

/** The query of every list: page size and cursor. */
export const pageQuery = (max = 200) => ({
  limit: queryInteger(1, max).default(50),
  cursor: z.string().min(1).max(200).optional(),
})

export const ok = z.object({ ok: z.literal(true) }).meta({ id: 'Ok' })

export const signedIn = z
  .object({ ok: z.literal(true), userId: z.string(), orgId: z.string() })
  .meta({ id: 'SignedIn' })

/** The query parameter by which staff name another organisation. See `requestedOrg`. */
export const orgIdQuery = text(64).optional().meta({
  description: 'Your own organisation by default; another one is for platform staff only.',
})
