// Formats a phone number: "+254 712 345 678". The service validates it.

/** The country code, and whether numbers start with a zero. Currencies of several countries are missing. */
const COUNTRIES: Readonly<Record<string, readonly [code: string, dialsZero: boolean]>> = {
  NGN: ['234', true],
  KES: ['254', true],
  GHS: ['233', true],
  ZAR: ['27', true],
  EGP: ['20', true],
  UGX: ['256', true],
  RWF: ['250', true],
  TZS: ['255', true],
  ZMW: ['260', true],
  GNF: ['224', false],
}
const NATIONAL_DIGITS_MIN = 9

/** The typed number with its country code; null while it is too short or ambiguous. */
export function formatPhone(typed: string, currency: string): string | null {
  const digits = typed.replaceAll(/[^\d+]/g, '')
  const [code = '', dialsZero = false] = COUNTRIES[currency] ?? []
  const national = nationalOf(digits, code, dialsZero)
  if (national === null || national.length < NATIONAL_DIGITS_MIN) return null
  return `+${code} ${grouped(national)}`
}

function nationalOf(digits: string, code: string, dialsZero: boolean): string | null {
  if (code === '') return null
  const international = /^(?:\+|00)(.*)$/.exec(digits)?.[1] ?? (digits.startsWith(code) ? digits : null)
  if (international !== null)
    return international.startsWith(code) ? international.slice(code.length).replace(/^0/, '') : null
  if (!dialsZero) return digits
  return digits.startsWith('0') ? digits.slice(1) : null
}

/** Groups of three, with the rest in the last: "803 123 4567". */
const grouped = (digits: string): string => digits.replace(/^(\d{3})(\d{3})(\d+)$/, '$1 $2 $3')
