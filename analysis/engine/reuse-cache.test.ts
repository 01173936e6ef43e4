import { readRuleExamples } from '@cowrie/testkit/analysis/rule-examples.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { languages, textRules } from '../all-rules.ts'
import type { ScannedFile } from '../report/finding.ts'
import { hashOf, ReuseCache } from './reuse-cache.ts'
import { type LoweredCode, scanFiles } from './scan-files.ts'
import type { StoredUnit } from './units/run-units.ts'

test('a cache drops the entries that were used least recently, and keeps none that is too large', () => {
  const cache = new ReuseCache<string>({ sizeMax: 10, ageMsMax: 1_000 }, () => 0)
  cache.set('a', 'A', 4)
  cache.set('b', 'B', 4)
  expect(cache.get('a')).toBe('A')
  cache.set('c', 'C', 4)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
  cache.set('d', 'D', 11)
  expect([cache.get('d'), cache.size]).toEqual([undefined, 8])
  cache.set('a', 'again', 6)
  expect([cache.get('a'), cache.size]).toEqual(['again', 10])
})

test('an entry leaves after its time, even if it is used', () => {
  let nowMs = 0
  const cache = new ReuseCache<string>({ sizeMax: 10, ageMsMax: 1_000 }, () => nowMs)
  cache.set('a', 'A', 4)
  nowMs = 999
  expect(cache.get('a')).toBe('A')
  nowMs = 1_000
  expect([cache.get('a'), cache.size]).toEqual([undefined, 0])
})

test('an entry leaves after its time without another scan', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const cache = new ReuseCache<string>({ sizeMax: 10, ageMsMax: 1_000 }, () => Date.now())
  cache.set('a', 'A', 4)
  vi.advanceTimersByTime(500)
  cache.set('b', 'B', 4)
  vi.advanceTimersByTime(500)
  expect(cache.size).toBe(4)
  vi.advanceTimersByTime(1_000)
  expect(cache.size).toBe(0)
})

test('lists of texts with the same concatenation have different keys', () => {
  const keys = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['2:ab', '1:c']].map(hashOf)
  expect(new Set(keys).size).toBe(keys.length)
})

const JAVASCRIPT = languages.filter(({ model }) => model.language === 'javascript')

function counting() {
  const parsed = { files: 0 }
  const own = JAVASCRIPT.map(({ model, rules }) => ({
    rules,
    model: {
      ...model,
      lower: (tree: Parameters<typeof model.lower>[0]) => {
        parsed.files += 1
        return model.lower(tree)
      },
    },
  }))
  return { parsed, languages: own }
}

test('only changed files are parsed again, and only for the same owner', async () => {
  const { parsed, languages: counted } = counting()
  const files = new ReuseCache<LoweredCode>({ sizeMax: 1_000, ageMsMax: 60_000 })
  const scan = async (owner: string, ...contents: readonly string[]) => {
    parsed.files = 0
    const project = contents.map((content, index) => ({ path: `src/${index}.js`, content }))
    await scanFiles(project, counted, textRules, {
      reuse: { owner, files, units: new ReuseCache({ sizeMax: 1, ageMsMax: 1 }) },
    })
    return parsed.files
  }
  expect(await scan('one', 'a()', 'b()', 'c()')).toBe(3)
  expect(await scan('one', 'a()', 'b(2)', 'c()')).toBe(1)
  expect(await scan('two', 'a()', 'b(2)', 'c()')).toBe(3)
  // The same content at another path can be code in another language.
  expect(await scan('two', 'b(2)', 'a()', 'c()')).toBe(2)
})

/** The same numbers in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('after any sequence of edits, a scan that reuses files reports the same as a full one', async () => {
  const examples = readRuleExamples().filter(({ area, files }) => area !== 'fintech' && files.length > 0)
  const random = randomNumbers(7)
  const pick = <T>(all: readonly T[]): T => all[random(all.length)] as T
  const contentFor = () => pick(pick(examples).files)
  const files = new ReuseCache<LoweredCode>({ sizeMax: 40_000, ageMsMax: 600_000 })
  const units = new ReuseCache<StoredUnit>({ sizeMax: 400_000, ageMsMax: 600_000 })
  let project: ScannedFile[] = Array.from({ length: 14 }, (_, index) => {
    const { path, content } = contentFor()
    return { path: `part-${index % 3}/${index}-${path}`, content }
  })
  let findings = 0
  for (let round = 0; round < 15; round++) {
    const at = random(project.length)
    const { path = '', content = '' } = project[at] ?? {}
    const edits: readonly (() => ScannedFile[])[] = [
      () => project.with(at, { path, content: `${content}\n` }),
      () => project.with(at, { path, content: contentFor().content }),
      () => project.with(at, { path, content: content.split('\n').slice(random(4)).join('\n') }),
      () => project.with(at, { path: `moved/${round}-${path.split('/').at(-1)}`, content }),
      () => project.toSpliced(at, 1),
      () => [...project, { ...contentFor(), path: `added/${round}-${contentFor().path.split('/').at(-1)}` }],
      () => project.toReversed(),
    ]
    project = pick(edits)()
    const full = await scanFiles(project, languages, textRules, {})
    const incremental = await scanFiles(project, languages, textRules, {
      reuse: { owner: 'org', files, units },
    })
    expect(incremental).toEqual(full)
    findings += full.findings.length
  }
  expect(findings).toBeGreaterThan(30)
})
