// Countries as invoices know them: which one a currency stands for, what time it is there, and its name.
import type { Currency } from '../../kernel/money.ts'

// Currencies that several countries share stand for none of them.
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
// Known to the tables of the platform, and no country.
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

export const countryOfCurrency = (currency: Currency): string | null => BY_CURRENCY[currency] ?? null

/** The zone that a country's capital lives by; null where we do not know it. */
export const zoneOf = (country: string): string | null => ZONES[country] ?? null

export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !NO_COUNTRIES.has(code) && NAMES.of(code) !== undefined

export const countryName = (code: string): string => NAMES.of(code) ?? code
