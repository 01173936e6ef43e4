// The language and country of a visitor: the choice in the address, then the remembered one, then what the browser asks for.
import type { Currency } from '../../kernel/money.ts'
import type { RequestInfo } from '../../platform/http/route.ts'

export const LANGUAGES = { en: 'English', fr: 'Français', sw: 'Kiswahili', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[]

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
  const wanted = acceptedTags(request.headers['accept-language'])
  const language = lang ?? known(LANGUAGES, request.cookie(LANGUAGE_COOKIE)) ?? wanted.language ?? 'en'
  const country = chosen ?? known(CURRENCY_OF, request.cookie(COUNTRY_COOKIE)) ?? wanted.country ?? 'NG'
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
export function acceptedTags(header: string | string[] | undefined): {
  language: Language | undefined
  country: Country | undefined
} {
  const tags = String(header ?? '')
    .slice(0, 500)
    .split(',')
    .map((member) => {
      const [tag = '', weight = ''] = member.split(';')
      const q = /^\s*q=([\d.]+)\s*$/.exec(weight)?.[1]
      return { parts: tag.trim().split('-'), q: q === undefined ? 1 : Number(q) }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
  const first = <T>(find: (parts: string[]) => T | undefined): T | undefined => {
    for (const { parts } of tags) {
      const found = find(parts)
      if (found !== undefined) return found
    }
    return undefined
  }
  return {
    language: first(([primary]) => known(LANGUAGES, primary?.toLowerCase())),
    country: first((parts) => known(CURRENCY_OF, parts.slice(1).at(-1)?.toUpperCase())),
  }
}

const known = <T extends object>(table: T, value: string | undefined): keyof T | undefined =>
  value !== undefined && Object.hasOwn(table, value) ? (value as keyof T) : undefined
