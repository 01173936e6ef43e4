// The language of the last visit. The boot script uses it, so it imports almost nothing.
import { recall, remember } from '../data/storage/local-storage.ts'

export const LANGUAGES = { en: 'English', fr: 'Français', sw: 'Kiswahili', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

const KEY = 'cowrie.language'

const isLanguage = (value: string | null | undefined): value is Language =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value)

/** The chosen language, else the first supported language of the browser. */
export function rememberedLanguage(): Language {
  const chosen = recall(KEY)
  if (isLanguage(chosen)) return chosen
  return (navigator.languages ?? []).map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

export const rememberLanguage = (language: Language): void => remember(KEY, language)

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

export function wearLanguage(language: Language): void {
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}
