// A change is inspected without delaying the requests of others.
import { expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { inspectChange } from './inspect-change.ts'
import { inspectOnWorker } from './inspect-on-worker.ts'

const tree = (files: Record<string, string | Uint8Array>) => ({
  folder: null,
  files: new Map(Object.entries(files)),
  deleted: new Set<string>(),
})

const code = (count: number, word: string) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `src/f${i}.js`,
      `import assert from 'node:assert'\nexport const ${word}${i} = (a) => a + ${i}\n`,
    ]),
  )
const SAME = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'logo.png': new Uint8Array([137, 80, 0, 1]),
}
/** Lines like this one take long to compare with themselves. */
const SLOW = `  assert.equal(${'a,'.repeat(400)} b)\n`

test('a large change with slow lines is inspected while the event loop runs, with the same result', async () => {
  const input = {
    before: tree({ ...SAME, ...code(400, 'old') }),
    after: tree({ ...SAME, ...code(400, 'fresh'), 'test/new.test.js': SLOW.repeat(100) }),
    changedPaths: [...Object.keys(code(400, '')), 'test/new.test.js'],
    command: 'node --test',
    request: 'Rename them.',
  }
  let [rounds, isDone] = [0, false]
  const inspected = inspectOnWorker(newId('org'), input, new AbortController().signal).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    rounds++
  }
  expect(rounds).toBeGreaterThan(100)
  expect(await inspected).toEqual(structuredClone(await inspectChange(input)))
})
