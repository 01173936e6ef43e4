// The languages of the product, and the choice of one from an `Accept-Language` header.

export const LANGUAGES = { en: 'English', fr: 'Français', sw: 'Kiswahili', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as [Language, ...Language[]]

/** For dates and names. Latin digits everywhere, as in the app. */
export const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  fr: 'fr-FR',
  sw: 'sw-KE',
  ar: 'ar-EG-u-nu-latn',
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

export const knownLanguage = (code: string | null | undefined): Language | undefined =>
  typeof code === 'string' && Object.hasOwn(LANGUAGES, code) ? (code as Language) : undefined

type Header = string | readonly string[] | undefined

const HEADER_CHARACTERS_MAX = 500
const TAGS_MAX = 20

/** `sw-KE,en;q=0.8` as parts of tags, the preferred one first. Tags that the client excludes (`q=0`) are left out. */
export function acceptedTags(header: Header): readonly (readonly string[])[] {
  return String(header ?? '')
    .slice(0, HEADER_CHARACTERS_MAX)
    .split(',', TAGS_MAX)
    .map((member) => {
      const [tag = '', weight = ''] = member.split(';')
      const q = /^\s*q=([\d.]+)\s*$/i.exec(weight)?.[1]
      return { parts: tag.trim().split('-'), q: q === undefined ? 1 : Number(q) }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
    .map(({ parts }) => parts)
}

/** Cached by header, because clients send few different ones. */
const wanted = new Map<string, Language | null>()
const WANTED_MAX = 200

/** The preferred one of our languages; undefined if the header names none of them. */
export function wantedLanguage(header: Header): Language | undefined {
  if (header === undefined) return undefined
  const text = String(header).slice(0, HEADER_CHARACTERS_MAX)
  let language = wanted.get(text)
  if (language === undefined) {
    language = firstKnown(text)
    if (wanted.size >= WANTED_MAX) wanted.clear()
    wanted.set(text, language)
  }
  return language ?? undefined
}

function firstKnown(header: string): Language | null {
  for (const [primary] of acceptedTags(header)) {
    const language = knownLanguage(primary?.toLowerCase())
    if (language) return language
  }
  return null
}

export const acceptedLanguage = (header: Header): Language => wantedLanguage(header) ?? 'en'
