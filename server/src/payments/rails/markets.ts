// The countries of each provider and the currencies of their accounts. Variables without a suffix configure the default
// account; a country suffix (`PAYSTACK_SECRET_KEY_GH`) configures the account of that country.

import type { Currency } from '../../kernel/money.ts'
import type { ProviderName } from '../channels.ts'
import { RailConfigurationError } from './keys.ts'
import type { Variables } from './rail.ts'

export type Country = string

type Market = {
  readonly prefix: string
  readonly countries: Readonly<Record<Country, readonly Currency[]>>
  /** The variables that select this country. */
  variablesOf?(country: Country): Variables
  /** The country of the default account; null where one account serves all of them. */
  homeCountry(variables: Variables): Country | null
}

/** MTN's target environment of each country. */
const MOMO_TARGETS: Readonly<Record<Country, string>> = {
  UG: 'mtnuganda',
  GH: 'mtnghana',
  CI: 'mtnivorycoast',
  BJ: 'mtnbenin',
  CM: 'mtncameroon',
  CG: 'mtncongo',
  RW: 'mtnrwanda',
  ZM: 'mtnzambia',
  GN: 'mtnguineaconakry',
}

/** Calling codes, for currencies that several countries share. */
const CALLING_CODES: Readonly<Record<Country, string>> = { CI: '+225', BJ: '+229', CM: '+237', CG: '+242' }

const singleCountry = (prefix: string, country: Country, currency: Currency): Market => ({
  prefix,
  countries: { [country]: [currency] },
  homeCountry: () => country,
})

export const MARKETS: Readonly<Record<ProviderName, Market>> = {
  paystack: {
    prefix: 'PAYSTACK_',
    countries: { NG: ['NGN', 'USD'], GH: ['GHS'], KE: ['KES', 'USD'], ZA: ['ZAR'], CI: ['XOF'] },
    variablesOf: (country) => ({ PAYSTACK_COUNTRY: country }),
    homeCountry: (variables) => configuredCountry('paystack', 'PAYSTACK_COUNTRY', variables) ?? 'NG',
  },
  flutterwave: {
    prefix: 'FLUTTERWAVE_',
    countries: {
      NG: ['NGN', 'USD'],
      GH: ['GHS'],
      KE: ['KES'],
      UG: ['UGX'],
      TZ: ['TZS'],
      RW: ['RWF'],
      ZA: ['ZAR'],
      ZM: ['ZMW'],
      CI: ['XOF'],
      SN: ['XOF'],
      CM: ['XAF'],
      EG: ['EGP'],
    },
    variablesOf: (country) => ({ FLUTTERWAVE_COUNTRY: country }),
    homeCountry: (variables) => configuredCountry('flutterwave', 'FLUTTERWAVE_COUNTRY', variables),
  },
  daraja: singleCountry('DARAJA_', 'KE', 'KES'),
  momo: {
    prefix: 'MOMO_',
    countries: {
      UG: ['UGX'],
      GH: ['GHS'],
      CI: ['XOF'],
      BJ: ['XOF'],
      CM: ['XAF'],
      CG: ['XAF'],
      RW: ['RWF'],
      ZM: ['ZMW'],
      GN: ['GNF'],
    },
    variablesOf: (country) => ({ MOMO_TARGET_ENVIRONMENT: MOMO_TARGETS[country] }),
    // The sandbox serves every country.
    homeCountry({ MOMO_TARGET_ENVIRONMENT: target = '' }) {
      if (target === 'sandbox') return null
      return Object.keys(MOMO_TARGETS).find((country) => MOMO_TARGETS[country] === target) ?? target
    },
  },
  opay: {
    prefix: 'OPAY_',
    countries: { NG: ['NGN'], EG: ['EGP'] },
    variablesOf: (country) => ({ OPAY_COUNTRY: country }),
    homeCountry: (variables) => configuredCountry('opay', 'OPAY_COUNTRY', variables) ?? 'NG',
  },
  palmpay: singleCountry('PALMPAY_', 'NG', 'NGN'),
  ozow: singleCountry('OZOW_', 'ZA', 'ZAR'),
  fawry: singleCountry('FAWRY_', 'EG', 'EGP'),
}

/** The currencies of an account; empty for countries that we do not serve. */
export function currenciesOf(rail: ProviderName, country: Country | null): readonly Currency[] {
  const { countries } = MARKETS[rail]
  return country === null ? [...new Set(Object.values(countries).flat())] : (countries[country] ?? [])
}

/** Whether an account of this country can prompt this phone. */
export const reachesPhone = (country: Country, phone: string): boolean =>
  phone.startsWith(CALLING_CODES[country] ?? '+')

/** The calling code for error messages; null where the currency has one country. */
export const callingCodeOf = (country: Country): string | null => CALLING_CODES[country] ?? null

/** The variables of a country's account without their suffix; null when none is set. */
export function variablesForCountry(
  rail: ProviderName,
  country: Country,
  variables: Variables,
): Variables | null {
  const { prefix, variablesOf } = MARKETS[rail]
  const suffix = `_${country}`
  const own = Object.entries(variables)
    .filter(([name, value]) => name.startsWith(prefix) && name.endsWith(suffix) && value)
    .map(([name, value]) => [name.slice(0, -suffix.length), value])
  if (!variablesOf || own.length === 0) return null
  // Most providers have one host for all countries, so addresses are shared.
  const shared = Object.entries(variables).filter(
    ([name]) => name.startsWith(prefix) && name.endsWith('_URL'),
  )
  return { ...Object.fromEntries(shared), ...variablesOf(country), ...Object.fromEntries(own) }
}

/** Problems with keys of countries that the provider does not serve. */
export function misplacedKeys(rail: ProviderName, needs: readonly string[], variables: Variables): string[] {
  const { countries, variablesOf } = MARKETS[rail]
  const places = variablesOf ? Object.keys(countries) : []
  return Object.keys(variables).flatMap((name) => {
    const [, plain = '', country = ''] = /^(\w+)_([A-Z]{2})$/.exec(name) ?? []
    if (!needs.includes(plain) || places.includes(country)) return []
    return [
      places.length > 0
        ? `${name}: this provider has no accounts in ${country}; use one of ${places.join(', ')}.`
        : `${name}: this provider has one account; remove the suffix _${country}.`,
    ]
  })
}

function configuredCountry(rail: ProviderName, name: string, variables: Variables): Country | null {
  const country = variables[name]
  if (!country) return null
  const places = Object.keys(MARKETS[rail].countries)
  if (!places.includes(country))
    throw new RailConfigurationError([`${name} must be one of ${places.join(', ')}.`])
  return country
}
