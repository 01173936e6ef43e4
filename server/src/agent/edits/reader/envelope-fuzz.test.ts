import { below, mutations, NONCE, pick, randomAnswer } from '@cowrie/testkit/agent/mutations.ts'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import { cleanPath } from '@cowrie/workspace/paths/protected-paths.ts'
import { expect, test } from 'vitest'
import { applyEnvelope } from '../apply/apply.ts'
import { createEnvelopeReader, readEnvelope } from './envelope-reader.ts'

const ROUNDS = rounds(100, 1_000)

test('corrupted answers neither crash, nor write unsafe paths, nor lose intact blocks', async () => {
  const random = seeded(20_261_115)
  const counts = { intact: 0, recovered: 0, unsafe: 0, edits: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const answer = randomAnswer(random)
    for (let times = below(random, 3); times >= 0; times--) pick(random, mutations)(answer, random)
    const envelope = readEnvelope(answer.text(answer.lines), NONCE, answer.finish)
    const intact = answer.blocks.filter((_, at) => !answer.damagedBlocks.has(at))
    counts.intact += intact.length
    counts.recovered += intact.filter((block) => envelope.blocks.some((each) => isEqual(each, block))).length
    const base = new Map(answer.blocks.map(({ path, change }) => [path, baseOf(change)]))
    const { edits } = await applyEnvelope(base, envelope)
    counts.edits += edits.length
    counts.unsafe += edits.filter(({ path }) => 'reason' in cleanPath(path)).length
  }
  expect(counts.unsafe).toBe(0)
  expect(counts.intact).toBeGreaterThan(ROUNDS)
  expect(counts.edits).toBeGreaterThan(ROUNDS)
  expect(counts.recovered / counts.intact).toBeGreaterThanOrEqual(0.99)
})

test('chunks of any size give the same result', () => {
  const random = seeded(7)
  for (let round = 0; round < rounds(30, 300); round++) {
    const answer = randomAnswer(random)
    pick(random, mutations)(answer, random)
    const text = answer.text(answer.lines)
    const [reader, whole] = [createEnvelopeReader(NONCE), createEnvelopeReader(NONCE)]
    let shown = ''
    for (let at = 0, size = 0; at < text.length; at += size) {
      size = 1 + below(random, 30)
      shown += reader.push(text.slice(at, at + size))
    }
    expect(shown).toBe(whole.push(text))
    expect(reader.end(answer.finish)).toEqual(readEnvelope(text, NONCE, answer.finish))
  }
})

test('any amount of noise is read as prose', () => {
  const random = seeded(11)
  const pieces = [
    '[[',
    ']]',
    NONCE,
    ' FILE ',
    'update ',
    '\n',
    '```',
    '@@',
    '--- a/x',
    '+++ b/x',
    '{"edits":[',
    '"',
    '\\',
    '<think>',
    '\r',
    '\u202e',
  ]
  for (let round = 0; round < rounds(50, 500); round++) {
    const text = Array.from({ length: below(random, 60) }, () => pieces[below(random, pieces.length)]).join(
      '',
    )
    expect(() => readEnvelope(text, NONCE, 'stop')).not.toThrow()
  }
  const readHostile = () => {
    readEnvelope(`[[${NONCE} FILE create a.txt]]\n${'[[ {[ '.repeat(300_000)}`, NONCE, 'stop')
    readEnvelope('{"a":['.repeat(100_000), NONCE, 'stop')
    readEnvelope('```\n'.repeat(50_001), NONCE, 'stop')
    readEnvelope('--- a\n+++ b\n'.repeat(20_000), NONCE, 'stop')
    readEnvelope('<file path="a.ts">\n'.repeat(40_000), NONCE, 'stop')
    readEnvelope('<<<<<<< SEARCH\n'.repeat(60_000), NONCE, 'stop')
    readEnvelope('a.ts\n```a\n'.repeat(60_000), NONCE, 'stop')
  }
  expect(measureCost(readHostile)).toBeLessThan(20_000)
})

const isEqual = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** A file that the hunks of the block apply to. */
const baseOf = (change: { kind: string; hunks?: { find: string }[] }): string =>
  `${(change.hunks ?? []).map(({ find }) => find).join('\n')}\nend\n`
