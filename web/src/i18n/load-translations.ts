// Loads the words of a language, in pieces: those of the frame, and those of each part of the app when it is opened.
import { type Language, language, setLanguage } from './language.ts'
import { addWords, type Dictionary } from './t.ts'

/** From the build: where the words are, by language and part of the app. Parts that are not translated have none. */
declare const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/** What is said everywhere: the frame, and why something was refused. */
const opened = new Set<string>(['app', 'errors'])

/** The words of a part. Without a network, or where there are none yet, English is said. */
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
    // What cannot be fetched now is asked for when the part is opened again.
    if (error instanceof Error) return {}
    throw error
  }
}
