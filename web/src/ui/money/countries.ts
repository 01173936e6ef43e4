// Where wallets can be held, and in which currency.
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
  // Dollars are everyday money there.
  LR: 'USD',
  ZW: 'USD',
}
const HOME = 'NG'

/** By their names in the reader's language. */
export function countries(locale?: string): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return Object.keys(CURRENCY_OF)
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, locale))
}

/** The first country among the reader's languages (`en-KE`) in which we have a wallet. */
export function likelyCountry(languages: readonly string[]): string {
  const regions = languages.map((language) => new Intl.Locale(language).region ?? '')
  return regions.find((region) => Object.hasOwn(CURRENCY_OF, region)) ?? HOME
}
