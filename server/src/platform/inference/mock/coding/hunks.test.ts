// Pieces of a difference, applied one after the other or all to the original, give the new text.
import { expect, test } from 'vitest'
import { hunksOf } from './hunks.ts'

test('a thousand random edits come out as they went in', () => {
  const next = chance(3)
  const line = () =>
    ['}', '', 'a', 'b', '  return x', 'if (a) {', `line ${Math.floor(next() * 40)}`][
      Math.floor(next() * 7)
    ] ?? ''
  let inPieces = 0
  for (let round = 0; round < 1_000; round += 1) {
    const old = Array.from({ length: Math.floor(next() * 30) }, line)
    const fresh = old.flatMap((each) =>
      next() < 0.08 ? [] : next() < 0.1 ? [line(), line()] : next() < 0.1 ? [line(), each] : [each],
    )
    const before = `${old.join('\n')}\n`
    const after = `${fresh.join('\n')}\n`
    const hunks = hunksOf(before, after)
    if (hunks === null) continue
    inPieces += 1
    let text = before
    for (const { find, with: replacement } of hunks) {
      expect(occurrences(before, find)).toBe(1)
      expect(occurrences(text, find)).toBe(1)
      expect(find.trim()).not.toBe('')
      expect(replacement.trim()).not.toBe('')
      text = text.replace(find, () => replacement)
    }
    expect(text).toBe(after)
  }
  expect(inPieces).toBeGreaterThan(500)
})

test('a file of equal lines is written as a whole', () => {
  expect(hunksOf('x\n'.repeat(50_000), `${'x\n'.repeat(20_000)}y\n${'x\n'.repeat(30_000)}`)).toBeNull()
})

test('an empty file has nothing to find', () => {
  expect(hunksOf('', 'a\n')).toBeNull()
})

const occurrences = (text: string, piece: string): number => {
  let count = 0
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) count += 1
  return count
}

/** The same numbers every time. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
