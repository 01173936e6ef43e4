// The language of the last visit. The boot script uses it, so it imports almost nothing.
import { readLocal, writeLocal } from '../data/storage/local-storage.ts'

export const LANGUAGES = { en: 'English', fr: 'Français', sw: 'Kiswahili', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

const KEY = 'cowrie.language'

const isLanguage = (value: string | null | undefined): value is Language =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

/** The chosen language, else the first supported language of the browser. */
export function storedLanguage(): Language {
  const chosen = readLocal(KEY)
  if (isLanguage(chosen)) return chosen
  return (navigator.languages ?? []).map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

export const storeLanguage = (language: Language): void => writeLocal(KEY, language)

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

export function applyLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}
