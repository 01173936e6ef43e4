// Loads translations in pieces: those of the shell at the start, those of an area when it is opened.
import { type Language, language, setLanguage } from './language.ts'
import { addWords, type Dictionary } from './t.ts'

/** From the build: the files with translations, by language and area. Areas without translations are missing. */
declare const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** Needed everywhere: the shell and the error messages. */
const opened = new Set<string>(['app', 'errors'])

/** Loads the translations of an area. Offline, or where there are none, the app shows English. */
export async function learn(area: string): Promise<void> {
  opened.add(area)
  if (language.peek() !== 'en') addWords(await wordsOf(language.peek(), [area]))
}

export async function speak(next: Language): Promise<void> {
  addWords(next === 'en' ? {} : await wordsOf(next, [...opened]), { replace: true })
  setLanguage(next)
}

async function wordsOf(of: Language, areas: readonly string[]): Promise<Dictionary> {
  const addresses = new Set(areas.flatMap((area) => WORDS[of]?.[area] ?? []))
  return Object.assign({}, ...(await Promise.all([...addresses].map(fetchWords)))) as Dictionary
}

const known = new Map<string, Dictionary>()

async function fetchWords(address: string): Promise<Dictionary> {
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
