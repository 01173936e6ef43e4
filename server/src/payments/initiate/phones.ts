// Parses phone numbers to E.164, and encrypts them for storage.
import type { Currency } from '../../kernel/money.ts'
import type { App } from '../../platform/app.ts'
import { sealedColumn } from '../../platform/sealed-data.ts'
import { listPhoneTexts, replacePhoneTexts } from '../sql/admin-payments.ts'

type Country = {
  readonly code: string
  /** The number without country code and trunk zero. */
  readonly national: RegExp
  readonly dialsZero: boolean
}

const country = (code: string, national: RegExp, dialsZero = true): Country => ({ code, national, dialsZero })

/** The countries whose mobile money uses each currency. */
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
 * The number in E.164; null when it belongs to no country of this currency. A national number is accepted where it is
 * unambiguous.
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

/** Accepts international numbers of any country, and national numbers of the currency's country. */
export function normaliseAnyPhone(written: string, currency: Currency): string | null {
  const bare = stripSeparators(written)
  const ours = normalisePhone(written, currency)
  if (ours !== null || bare === null) return ours
  const international = bare.startsWith('00') ? `+${bare.slice(2)}` : bare
  return /^\+[1-9]\d{6,14}$/.test(international) ? international : null
}

/** An example for error messages. */
export function examplePhone(currency: Currency): string {
  const [first] = COUNTRIES[currency]
  return first ? `+${first.code} and the number` : '+ and the country code and the number'
}

/** Removes separators and keeps a leading plus; null when other characters remain. */
function stripSeparators(written: string): string | null {
  const bare = written.trim().replaceAll(/[ \-.()]/g, '')
  return /^\+?\d{6,20}$/.test(bare) ? bare : null
}

function fromInternational(digits: string, { code, national, dialsZero }: Country): string | null {
  if (!digits.startsWith(code)) return null
  const rest = digits.slice(code.length)
  // Many people write "+234 (0)803 …".
  const number = dialsZero && rest.startsWith('0') ? rest.slice(1) : rest
  return national.test(number) ? `+${code}${number}` : null
}

function fromNational(digits: string, { code, national, dialsZero }: Country): string | null {
  const number = dialsZero ? (digits.startsWith('0') ? digits.slice(1) : null) : digits
  return number !== null && national.test(number) ? `+${code}${number}` : null
}

/** Encrypts the payer's phone for storage, bound to its payment. */
export const sealPhone = ({ secrets }: App, reference: string, phone: string): string =>
  secrets.seal(phone, sealContext(reference))

/** For staff: the first four and last three characters. */
export function maskedPhone({ secrets }: App, reference: string, sealed: string): string {
  const phone = secrets.open(sealed, sealContext(reference))
  return `${phone.slice(0, 4)}…${phone.slice(-3)}`
}

const sealContext = (reference: string): string => `phone of payment ${reference}`

export const sealedPhones = sealedColumn({
  name: 'payments.phone_sealed',
  list: listPhoneTexts,
  replace: replacePhoneTexts,
  contextOf: sealContext,
})
