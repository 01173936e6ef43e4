// Countries with wallets, and their currencies.
import type { Currency } from '@cowrie/sdk'

export const CURRENCY_OF: Readonly<Record<string, Currency['code']>> = {
  NG: 'NGN',
  KE: 'KES',
  GH: 'GHS',
  ZA: 'ZAR',
  EG: 'EGP',
  UG: 'UGX',
  BJ: 'XOF',
  BF: 'XOF',
  CI: 'XOF',
  GW: 'XOF',
  ML: 'XOF',
  NE: 'XOF',
  SN: 'XOF',
  TG: 'XOF',
  CM: 'XAF',
  CF: 'XAF',
  TD: 'XAF',
  CG: 'XAF',
  GQ: 'XAF',
  GA: 'XAF',
  RW: 'RWF',
  TZ: 'TZS',
  ZM: 'ZMW',
  GN: 'GNF',
  // Dollars are in everyday use there.
  LR: 'USD',
  ZW: 'USD',
}
const HOME = 'NG'

/** Sorted by their names in the language of the user. */
export function countries(locale?: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return Object.keys(CURRENCY_OF)
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, locale))
}

/** The first country among the user's languages (`en-KE`) that has a wallet. */
export function likelyCountry(languages: readonly string[]): string {
  const regions = languages.map((language) => new Intl.Locale(language).region ?? '')
  return regions.find((region) => Object.hasOwn(CURRENCY_OF, region)) ?? HOME
}
