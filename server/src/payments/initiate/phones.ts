// Phone numbers as people write them, kept as E.164. Whose network a number is on only its provider knows.
import type { Currency } from '../../kernel/money.ts'

type Country = {
  readonly code: string
  /** The number without country code and without the zero that some countries dial before it. */
  readonly national: RegExp
  readonly dialsZero: boolean
}

const country = (code: string, national: RegExp, dialsZero = true): Country => ({ code, national, dialsZero })

/** Where the mobile money of each currency is used. */
const COUNTRIES: Readonly<Record<Currency, readonly Country[]>> = {
  NGN: [country('234', /^[789][01]\d{8}$/)],
  KES: [country('254', /^[17]\d{8}$/)],
  GHS: [country('233', /^[1-9]\d{8}$/)],
  ZAR: [country('27', /^[6-8]\d{8}$/)],
  EGP: [country('20', /^1[0125]\d{8}$/)],
  UGX: [country('256', /^7\d{8}$/)],
  RWF: [country('250', /^7\d{8}$/)],
  TZS: [country('255', /^[67]\d{8}$/)],
  ZMW: [country('260', /^[79]\d{8}$/)],
  GNF: [country('224', /^6\d{8}$/, false)],
  // Côte d'Ivoire and Benin, Cameroon and Congo.
  XOF: [country('225', /^[02]\d{9}$/, false), country('229', /^01\d{8}$/, false)],
  XAF: [country('237', /^6\d{8}$/, false), country('242', /^0\d{8}$/, false)],
  USD: [],
}

/**
 * The number in E.164; null when it is none of a country where this currency is used. The local form is understood
 * where it can mean one number only.
 */
export function normalisePhone(written: string, currency: Currency): string | null {
  const bare = stripSeparators(written)
  if (bare === null) return null
  const international = bare.startsWith('+') ? bare.slice(1) : bare.startsWith('00') ? bare.slice(2) : null
  const readings = COUNTRIES[currency].flatMap((each) =>
    international === null
      ? [fromNational(bare, each), fromInternational(bare, each)]
      : [fromInternational(international, each)],
  )
  const [number, ...others] = new Set(readings.filter((reading) => reading !== null))
  return others.length === 0 ? (number ?? null) : null
}

/** Any number of the world, for where it is only passed on; the local form is that of the currency. */
export function normaliseAnyPhone(written: string, currency: Currency): string | null {
  const bare = stripSeparators(written)
  const ours = normalisePhone(written, currency)
  if (ours !== null || bare === null) return ours
  const international = bare.startsWith('00') ? `+${bare.slice(2)}` : bare
  return /^\+[1-9]\d{6,14}$/.test(international) ? international : null
}

/** For messages: how a number of this currency is written. */
export function examplePhone(currency: Currency): string {
  const [first] = COUNTRIES[currency]
  return first ? `+${first.code} and the number` : '+ and the country code and the number'
}

/** Digits, with a plus before them where one was written; null when there is anything but digits and what divides them. */
function stripSeparators(written: string): string | null {
  const bare = written.trim().replaceAll(/[ \-.()]/g, '')
  return /^\+?\d{6,20}$/.test(bare) ? bare : null
}

function fromInternational(digits: string, { code, national, dialsZero }: Country): string | null {
  if (!digits.startsWith(code)) return null
  const rest = digits.slice(code.length)
  // "+234 (0)803 …" is how many write it.
  const number = dialsZero && rest.startsWith('0') ? rest.slice(1) : rest
  return national.test(number) ? `+${code}${number}` : null
}

function fromNational(digits: string, { code, national, dialsZero }: Country): string | null {
  const number = dialsZero ? (digits.startsWith('0') ? digits.slice(1) : null) : digits
  return number !== null && national.test(number) ? `+${code}${number}` : null
}
