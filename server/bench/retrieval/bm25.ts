// The baseline search: BM25 over whole words.
import type { ScoredItem } from '../../src/repo-index/ranking/top-k.ts'

const [SATURATION, LENGTH_SHARE] = [1.2, 0.75]

export function createWordSearch(texts: readonly string[]): (question: string, most: number) => ScoredItem[] {
  const documents = texts.map((text) => countsOf(text))
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const uses = new Map<string, number>()
  for (const { counts } of documents)
    for (const word of counts.keys()) uses.set(word, (uses.get(word) ?? 0) + 1)

  const rarity = (word: string): number => {
    const used = uses.get(word) ?? 0
    return Math.log(1 + (documents.length - used + 0.5) / (used + 0.5))
  }
  return (question, most) => {
    const words = [...countsOf(question).counts.keys()].filter((word) => uses.has(word))
    const scored = documents.map(({ counts, length }, at) => {
      const lengthPart = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / meanLength)
      const score = words.reduce((sum, word) => {
        const count = counts.get(word) ?? 0
        return sum + (rarity(word) * count * (SATURATION + 1)) / (count + lengthPart)
      }, 0)
      return { at, score }
    })
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, most)
  }
}

function countsOf(text: string): { counts: Map<string, number>; length: number } {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, length: words.length }
}
