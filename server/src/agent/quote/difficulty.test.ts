import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { scoreDifficulty } from './difficulty.ts'

const file = (path: string, characters = 100) => ({ path, content: 'x'.repeat(characters) })

describe('the difficulty of a task', () => {
  test('is zero for a small task about a small file', () => {
    expect(scoreDifficulty('Add a README.', [])).toEqual({ score: 0, reasons: [] })
    expect(scoreDifficulty('Rename foo to bar.', [file('a.ts')]).score).toBeLessThan(5)
  })

  test.for([
    ['concurrency', 'Two workers deadlock here.'],
    ['migration', 'Write the migration for the new column.'],
    ['security', 'Users without permission see this page.'],
    ['money', 'Round the invoice to kobo.'],
    ['design', 'Refactor the module.'],
    ['a failure to explain', 'The failing test is below.'],
    ['a failure to explain', 'It dies:\nTraceback (most recent call last)'],
    ['a failure to explain', 'It dies:\n    at add (src/add.js:3:9)'],
  ] as const)('rises with %s', ([reason, prompt]) => {
    const { score, reasons } = scoreDifficulty(prompt, [])
    expect(score).toBeGreaterThanOrEqual(10)
    expect(reasons.join()).toContain(reason)
  })

  test('does not match inside other words', () => {
    expect(scoreDifficulty('Trace the embrace of the unauthored threadbare thing.', []).score).toBe(0)
  })

  test('rises with length, files, their size and their languages, and reports the reasons', () => {
    const files = [file('a.ts', 40_000), file('b.py', 40_000), file('c.go', 40_000)]
    const { score, reasons } = scoreDifficulty('word '.repeat(300), files)
    expect(reasons).toEqual([
      'length of the task +10',
      'number of files +4',
      'size of the files +15',
      'several languages +10',
    ])
    expect(score).toBe(39)
  })

  test.for(['\n', ' ', ' at ', 'a', ':1', 'auth '])('is computed quickly for a text of only %j', (piece) => {
    const text = piece.repeat(200_000 / piece.length)
    expect(measureCost(() => scoreDifficulty(text, []))).toBeLessThan(200)
  })

  test('is at most 100, and the same for the same task', () => {
    const files = Array.from({ length: 200 }, (_, i) => file(`a.${i}`, 5_000))
    const prompt = `${'long '.repeat(4_000)} refactor the concurrent payment migration with encryption; failing tests`
    const everything = scoreDifficulty(prompt.split('').reverse().join('') + prompt, files)
    expect(scoreDifficulty(prompt, files)).toEqual(scoreDifficulty(prompt, files))
    expect(everything.score).toBeLessThanOrEqual(100)
    const short = `refactor the concurrent payment migration with encryption; failing tests ${'long '.repeat(4_000)}`
    expect(scoreDifficulty(short, files).score).toBe(100)
  })
})
