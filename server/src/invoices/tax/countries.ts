// Country names, time zones, and the country of a currency.
import type { Currency } from '../../kernel/money.ts'

// A currency that several countries share has no country.
const BY_CURRENCY: Readonly<Partial<Record<Currency, string>>> = {
  NGN: 'NG',
  KES: 'KE',
  GHS: 'GH',
  ZAR: 'ZA',
  EGP: 'EG',
  UGX: 'UG',
  TZS: 'TZ',
  RWF: 'RW',
  ZMW: 'ZM',
}

const ZONES: Readonly<Record<string, string>> = {
  NG: 'Africa/Lagos',
  KE: 'Africa/Nairobi',
  GH: 'Africa/Accra',
  ZA: 'Africa/Johannesburg',
  EG: 'Africa/Cairo',
  UG: 'Africa/Kampala',
  TZ: 'Africa/Dar_es_Salaam',
  RW: 'Africa/Kigali',
  ZM: 'Africa/Lusaka',
  CI: 'Africa/Abidjan',
  SN: 'Africa/Dakar',
  BJ: 'Africa/Porto-Novo',
  CM: 'Africa/Douala',
  GN: 'Africa/Conakry',
}

const NAMES = new Intl.DisplayNames(['en'], {
  type: 'region',
  fallback: 'none',
})
// Region codes of `Intl` that are not countries.
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

export const countryOfCurrency = (currency: Currency): string | null => BY_CURRENCY[currency] ?? null

/** The time zone of the capital; null if unknown. */
export const zoneOf = (country: string): string | null => ZONES[country] ?? null

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !NO_COUNTRIES.has(code) && NAMES.of(code) !== undefined

export const countryName = (code: string): string => NAMES.of(code) ?? code
