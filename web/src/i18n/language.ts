// The language of the app, and its direction.
import { type ReadonlySignal, signal } from '@preact/signals'
import { applyLanguage, type Language, storedLanguage, storeLanguage } from './stored-language.ts'

export { LANGUAGES, type Language } from './stored-language.ts'

const current = signal<Language>(storedLanguage())
export const language: ReadonlySignal<Language> = current

/** The translations must be loaded first. */
export function setLanguage(next: Language): void {
  current.value = next
  storeLanguage(next)
  applyLanguage(next)
}

/** For numbers and dates: the region of the user where it fits the language, always with Latin digits. */
export function locale(): string {
  const own = (navigator.languages ?? []).find((tag) => tag.split('-')[0] === current.value)
  return new Intl.Locale(own ?? current.value, { numberingSystem: 'latn' }).toString()
}
