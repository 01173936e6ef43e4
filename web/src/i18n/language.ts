// In which language this browser reads, and in which direction.
import { type ReadonlySignal, signal } from '@preact/signals'
import { type Language, rememberedLanguage, rememberLanguage, wearLanguage } from './stored-language.ts'

export { LANGUAGES, type Language } from './stored-language.ts'

const current = signal<Language>(rememberedLanguage())
export const language: ReadonlySignal<Language> = current

/** The words of the language must be there already: see `speak`. */
export function setLanguage(next: Language): void {
  current.value = next
  rememberLanguage(next)
  wearLanguage(next)
}

/** For numbers and dates: the reader's own region where it fits the language, and digits that every bank writes. */
export function locale(): string {
  const own = (navigator.languages ?? []).find((tag) => tag.split('-')[0] === current.value)
  return new Intl.Locale(own ?? current.value, { numberingSystem: 'latn' }).toString()
}
