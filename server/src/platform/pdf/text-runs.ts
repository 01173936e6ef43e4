// Splits a line of text into runs of one direction and one font, in the order in which they are drawn from left to right.
import createBidi from 'bidi-js'
import { splitCodes } from '../texts/codes-in-text.ts'

export type TextRun = { readonly text: string; readonly isArabic: boolean }
/** `auto`: by the first letter, for texts of users. */
export type Direction = 'ltr' | 'rtl' | 'auto'

const bidi = createBidi()
/** Letters, their vowel signs, and the comma, semicolon, question mark and full stop of Arabic. */
const ARABIC = /[\p{Script=Arabic}\u060c\u061b\u061f\u0640\u064b-\u0655\u0670\u06d4]/u
const JOINED = /\s/

export const usesArabicFont = (character: string): boolean => ARABIC.test(character)

type LevelRun = { text: string; isArabic: boolean; level: number }

/** Begin and end of a part from left to right, for the algorithm only. */
const [ISOLATE, END_ISOLATE] = ['\u2066', '\u2069']
/** Characters that decide directions and are not drawn. */
export const isDirectionMark = (character: string): boolean =>
  /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(character)

/** The font shapes and reverses Arabic itself. Signs between Arabic words are reversed and mirrored here. */
export function runsOf(plain: string, direction: Direction): TextRun[] {
  const text = splitCodes(plain)
    .map((part) => (part.isCode ? `${ISOLATE}${part.text}${END_ISOLATE}` : part.text))
    .join('')
  const { levels } = bidi.getEmbeddingLevels(text, direction)
  const mirrored = bidi.getMirroredCharactersMap(text, levels)
  const runs: LevelRun[] = []
  let next = 0
  for (const character of text) {
    // Levels are those of UTF-16 units.
    const place = next
    next += character.length
    if (isDirectionMark(character)) continue
    const level = levels[place] ?? 0
    const last = runs.at(-1)
    const isArabic =
      ARABIC.test(character) || (JOINED.test(character) && last?.isArabic === true && level % 2 === 1)
    const drawn = isArabic ? character : (mirrored.get(place) ?? character)
    if (last?.level === level && last.isArabic === isArabic) last.text += drawn
    else runs.push({ text: drawn, isArabic, level })
  }
  return inVisualOrder(runs).map(({ text, isArabic, level }) => ({
    // Arabic digits are read from left to right, but the font reverses them too.
    text: isArabic === (level % 2 === 1) ? text : [...text].reverse().join(''),
    isArabic,
  }))
}

/** Rule L2 of the bidirectional algorithm: from the highest level down, every sequence at that level or above is reversed. */
function inVisualOrder(runs: readonly LevelRun[]): LevelRun[] {
  const ordered = [...runs]
  const highest = runs.reduce((most, { level }) => Math.max(most, level), 0)
  for (let level = highest; level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      if ((ordered[start]?.level ?? 0) < level) continue
      let end = start
      while ((ordered[end + 1]?.level ?? -1) >= level) end++
      reverseBetween(ordered, start, end)
      start = end
    }
  return ordered
}

function reverseBetween(runs: LevelRun[], start: number, end: number): void {
  for (let [left, right] = [start, end]; left < right; left++, right--) {
    const [first, last] = [runs[left], runs[right]]
    if (!first || !last) return
    runs[left] = last
    runs[right] = first
  }
}
