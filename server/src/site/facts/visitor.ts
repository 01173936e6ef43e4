// The language and country of a visitor: the choice in the address, then the remembered one, then what the browser asks for.

import type { Currency } from '../../kernel/money.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { acceptedTags, knownLanguage, type Language } from '../../platform/texts/language.ts'

export const CURRENCY_OF = {
  NG: 'NGN',
  KE: 'KES',
  GH: 'GHS',
  ZA: 'ZAR',
  EG: 'EGP',
} as const satisfies Record<string, Currency>
export type Country = keyof typeof CURRENCY_OF
export const COUNTRY_CODES = Object.keys(CURRENCY_OF) as Country[]

export const LANGUAGE_COOKIE = 'site_language'
export const COUNTRY_COOKIE = 'site_country'
const SESSION_COOKIE = 'service_session'
const YEAR_SECONDS = 365 * 86_400

export type Visitor = {
  readonly language: Language
  readonly country: Country
  readonly currency: Currency
  /** A session cookie is present. The pages show nothing about its owner, so it is not verified. */
  readonly isSignedIn: boolean
  /** The browser asks for less data: no display face, no motion. */
  readonly savesData: boolean
}

export type Choice = { readonly lang?: Language | undefined; readonly country?: Country | undefined }

export function visitorOf(request: RequestInfo, { lang, country: chosen }: Choice): Visitor {
  const wanted = acceptedBy(request.headers['accept-language'])
  const language = lang ?? knownLanguage(request.cookie(LANGUAGE_COOKIE)) ?? wanted.language ?? 'en'
  const country = chosen ?? knownCountry(request.cookie(COUNTRY_COOKIE)) ?? wanted.country ?? 'NG'
  const isSignedIn = (request.cookie(SESSION_COOKIE) ?? '') !== ''
  const savesData = request.headers['save-data'] === 'on'
  return { language, country, currency: CURRENCY_OF[country], isSignedIn, savesData }
}

/** Remembers what the address chose. */
export function rememberChoice(request: RequestInfo, { lang, country }: Choice, isSecure: boolean): void {
  const attributes = `Path=/; SameSite=Lax; Max-Age=${YEAR_SECONDS}${isSecure ? '; Secure' : ''}`
  if (lang) request.setCookie(`${LANGUAGE_COOKIE}=${lang}; ${attributes}`)
  if (country) request.setCookie(`${COUNTRY_COOKIE}=${country}; ${attributes}`)
}

/** `sw-KE,en;q=0.8`: the first supported language by weight, and the first of our countries. */
export function acceptedBy(header: string | string[] | undefined): {
  language: Language | undefined
  country: Country | undefined
} {
  const tags = acceptedTags(header)
  const first = <T>(find: (parts: readonly string[]) => T | undefined): T | undefined => {
    for (const parts of tags) {
      const found = find(parts)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    language: first(([primary]) => knownLanguage(primary?.toLowerCase())),
    country: first((parts) => knownCountry(parts.slice(1).at(-1)?.toUpperCase())),
  }
}

const knownCountry = (code: string | undefined): Country | undefined =>
  code !== undefined && Object.hasOwn(CURRENCY_OF, code) ? (code as Country) : undefined
