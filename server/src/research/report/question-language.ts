// Decides in which of our languages a report is written: that of its question. Questions are short, so their question
// words count too.
import { knownLanguage, type Language } from '../../platform/texts/language.ts'
import { COMMON_WORDS } from '../reading/language.ts'

const QUESTION_WORDS: Readonly<Record<string, string>> = {
  en: 'what when where which who whom whose why how do does did is are can could should between an vs its their',
  fr: 'quel quelle quels quelles quand où comment pourquoi qui combien est-ce y-a-t-il peut doit entre un aux leurs sa se à',
  pt: 'qual quais quando onde quem quanto quantos quantas pode deve entre são é',
  es: 'qué cuál cuáles cuándo dónde cómo quién cuánto cuántos cuántas puede debe entre',
  de: 'wer wie wo wann warum welche welcher welches wieviel kann soll zwischen ist sind',
  sw: 'je nini ni nani lini wapi vipi gani ngapi kwanini kivipi vya cha zipi ipi yapi jinsi linganisha eleza kati hufanya',
  ha: 'menene yaya yaushe ina wane wace nawa',
}
const WORDS = new Map(
  Object.entries(COMMON_WORDS).map(([language, words]) => [
    language,
    new Set(`${words} ${QUESTION_WORDS[language] ?? ''}`.split(' ')),
  ]),
)
/** Letters of Persian, Urdu and Pashto that Arabic lacks. */
const OTHER_ARABIC_SCRIPT = /[پچژگکیٹڈڑںےښځ]/

/** English for a language that the product lacks. Null if the words do not decide. */
export function questionLanguage(question: string): Language | null {
  const words =
    question
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu) ?? []
  const arabic = words.filter((word) => /^\p{Script=Arabic}/u.test(word)).length
  // Names of products and companies stay in Latin letters.
  if (arabic > 0 && arabic * 2 >= words.length) return OTHER_ARABIC_SCRIPT.test(question) ? 'en' : 'ar'
  const counts = Array.from(WORDS, ([language, own]) => ({
    language,
    count: words.filter((word) => own.has(word)).length,
  })).sort((one, other) => other.count - one.count)
  const [best, next] = counts
  if (!best || best.count === 0 || best.count === next?.count) return null
  return knownLanguage(best.language) ?? 'en'
}
