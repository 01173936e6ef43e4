// Selects the subtokens and whole identifiers with their own vector: those that most packages use.
import { wholeOf } from '../../embedding/features.ts'
import { eachWord, subtokensOf } from '../../embedding/subtokens.ts'
import type { TrainingPair } from '../mining/corpus.ts'

const PACKAGES_MIN = 3
/** A whole identifier adds little to its parts unless it is common, such as `setTimeout`. */
const WHOLE_SHARE = 0.25

/** Ordered by the number of pairs that use them, most frequent first. */
export function vocabularyOf(lessons: readonly TrainingPair[], size: number): string[] {
  const remembered = new Map<string, string[]>()
  const known = new Map<string, { pairs: number; packages: Set<string> }>()
  for (const { question, code, package: name } of lessons)
    for (const token of new Set([...tokensOf(question, remembered), ...tokensOf(code, remembered)])) {
      const entry = known.get(token) ?? { pairs: 0, packages: new Set() }
      entry.pairs++
      if (entry.packages.size < PACKAGES_MIN) entry.packages.add(name)
      known.set(token, entry)
    }
  return [...known]
    .filter(([, { packages }]) => packages.size >= PACKAGES_MIN)
    .map(([token, { pairs }]): [string, number] => [
      token,
      token.startsWith('=') ? pairs * WHOLE_SHARE : pairs,
    ])
    .sort(([a, pairsOfA], [b, pairsOfB]) => pairsOfB - pairsOfA || (a < b ? -1 : 1))
    .slice(0, size)
    .map(([token]) => token)
}

function tokensOf(text: string, remembered: Map<string, string[]>): string[] {
  const tokens: string[] = []
  eachWord(text, text.length, (word) => {
    let parts = remembered.get(word)
    if (!parts) {
      const subtokens = subtokensOf(word)
      parts = subtokens.length > 1 ? [...subtokens, wholeOf(subtokens)] : subtokens
      remembered.set(word, parts)
    }
    for (const part of parts) tokens.push(part)
  })
  return tokens
}
