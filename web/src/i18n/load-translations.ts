// Loads translations in pieces: those of the shell at the start, those of an area when it is opened.
import { type Language, language, setLanguage } from './language.ts'
import { addTranslations, type Dictionary } from './t.ts'

/** From the build: the files with translations, by language and area. Areas without translations are missing. */
declare const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** The shell is needed everywhere. */
const openedAreas = new Set<string>(['app'])

/** Loads the translations of an area. Offline, or where there are none, the app shows English. */
export async function loadTranslations(area: string): Promise<void> {
  openedAreas.add(area)
  if (language.peek() !== 'en') addTranslations(await translationsOf(language.peek(), [area]))
}

export async function switchLanguage(next: Language): Promise<void> {
  addTranslations(next === 'en' ? {} : await translationsOf(next, [...openedAreas]), { replace: true })
  setLanguage(next)
}

async function translationsOf(of: Language, areas: readonly string[]): Promise<Dictionary> {
  const addresses = new Set(areas.flatMap((area) => WORDS[of]?.[area] ?? []))
  return Object.assign({}, ...(await Promise.all([...addresses].map(fetchTranslations)))) as Dictionary
}

const known = new Map<string, Dictionary>()

async function fetchTranslations(address: string): Promise<Dictionary> {
  const before = known.get(address)
  if (before) return before
  try {
    const answer = await fetch(address)
    if (!answer.ok) return {}
    const words = (await answer.json()) as Dictionary
    known.set(address, words)
    return words
  } catch (error) {
    // Failed downloads are tried again when the area is opened again.
    if (error instanceof Error) return {}
    throw error
  }
}
