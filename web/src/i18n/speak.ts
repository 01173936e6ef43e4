// Loads the words of a language, in pieces: those of the frame, and those of each part of the app when it is opened.
import { type Language, language, setLanguage } from './language.ts'
import { addWords, type Dictionary } from './t.ts'

/** From the build: where the words are, by language and part of the app. Parts that are not translated have none. */
declare const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>>

const opened = new Set<string>(['app'])

/** The words of a part. Without a network, or where there are none yet, English is said. */
export async function learn(area: string): Promise<void> {
  opened.add(area)
  if (language.peek() !== 'en') addWords(await words(language.peek(), area))
}

export async function speak(next: Language): Promise<void> {
  const all = next === 'en' ? [] : await Promise.all([...opened].map((area) => words(next, area)))
  addWords(Object.assign({}, ...all) as Dictionary, { replace: true })
  setLanguage(next)
}

async function words(of: Language, area: string): Promise<Dictionary> {
  const address = WORDS[of]?.[area]
  if (!address) return {}
  try {
    const answer = await fetch(address)
    return answer.ok ? ((await answer.json()) as Dictionary) : {}
  } catch (error) {
    // What cannot be fetched now is asked for at the next visit.
    if (error instanceof Error) return {}
    throw error
  }
}
