import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { afterEach, expect, test } from 'vitest'
import { compareCalls, openKnownResults } from './known-results.ts'
import type { ToolCall, ToolReport } from './types.ts'

const folder = scratchFolder()
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (n: number, path = 'a.ts'): ToolCall => ({
  callId: `call_1_${n}`,
  turnId: 'trn_1',
  tool: 'read',
  input: { path, from: n },
})
const report = (output: string): ToolReport => ({ ok: true, output, summary: 'read' })
/** Lines that compress badly. */
const lines = (count: number, seed = 1): string =>
  Array.from({ length: count }, (_, i) => `${((i + seed) * 7_919 * 104_729).toString(36)}\n`).join('')

test('the first result is whole, a similar one of the same file is a difference, also in the next process', async () => {
  const known = openKnownResults(folder)
  const first = report(lines(200))
  expect(known.encode(read(1), first)).toEqual({ callId: 'call_1_1', ok: true, output: first.output })
  await known.remember(read(1), first)
  const changed = report(`${lines(200)}more\n`)
  for (const each of [known, openKnownResults(folder)])
    expect(each.encode(read(2), changed)).toMatchObject({ base: 'call_1_1', delta: [[0, 200], 'more\n'] })
  expect(known.encode(read(2, 'b.ts'), changed)).toHaveProperty('output')
})

test('an unchanged result has an empty difference', async () => {
  const known = openKnownResults(folder)
  await known.remember(read(1), report(lines(100)))
  expect(known.encode(read(2), report(lines(100)))).toMatchObject({ base: 'call_1_1', delta: [] })
})

test('a short result, or one that resembles nothing, is whole', async () => {
  const known = openKnownResults(folder)
  await known.remember(read(1), report(lines(100)))
  expect(known.encode(read(2), report('short'))).toHaveProperty('output')
  expect(known.encode(read(2), report(lines(100, 500)))).toHaveProperty('output')
})

test('a base that the service cannot use is forgotten', async () => {
  const known = openKnownResults(folder)
  await known.remember(read(1), report(lines(100)))
  known.forget('call_1_1')
  for (const each of [known, openKnownResults(folder)])
    expect(each.encode(read(2), report(lines(100)))).toHaveProperty('output')
})

test('a damaged text is not used', async () => {
  await openKnownResults(folder).remember(read(1), report(lines(100)))
  writeFileSync(
    join(folder, 'call_1_1.txt'),
    `{"callId":"call_1_1","subject":"read \\"a.ts\\"","sha256":"0"}\nx`,
  )
  writeFileSync(join(folder, 'other.txt'), 'no head')
  expect(openKnownResults(folder).encode(read(2), report(lines(100)))).toHaveProperty('output')
})

test('at most 8 MB of texts are kept, the latest ones', async () => {
  const known = openKnownResults(folder)
  for (let n = 1; n <= 12; n++) await known.remember(read(n, `${n}.ts`), report(`${n}${'x'.repeat(900_000)}`))
  const kept = readdirSync(folder)
  expect(kept.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)).toBeLessThan(8_500_000)
  expect(kept).toContain('call_1_12.txt')
  expect(kept).not.toContain('call_1_1.txt')
})

test('what the service cannot store is replaced before the comparison', () => {
  const known = openKnownResults(folder)
  expect(known.encode(read(1), report('a\0b\ud800'))).toMatchObject({ output: 'ab\ufffd' })
  const long = known.encode(read(1), report('x'.repeat(1_000_001)))
  expect(long.output?.length).toBeLessThanOrEqual(1_000_000)
})

test('calls are ordered by their numbers', () => {
  const ids = ['call_2_10', 'call_1_12', 'call_2_9']
  expect(ids.toSorted(compareCalls)).toEqual(['call_1_12', 'call_2_9', 'call_2_10'])
})
