import { toyModel, toyRule } from '@cowrie/testkit/analysis/toy-language.ts'
import { describe, expect, test } from 'vitest'
import { BUDGET } from './interpret.ts'
import { scanFiles } from './scan-files.ts'

/** Generous: machines that test are slow. */
const TIME_MAX_MS = 20_000
const scan = (content: string, options = {}) =>
  scanFiles([{ path: 'src/a.ts', content }], [{ model: toyModel, rules: [toyRule] }], [], options)

describe('a file that is made to be hard', () => {
  const many = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index)).join('\n')
  const HARD: readonly (readonly [string, string])[] = [
    ['is nested deeply', `${'(\n'.repeat(5_000)}1${')\n'.repeat(5_000)}`],
    ['has deep blocks', `${'if (x) {\n'.repeat(2_000)}${'}\n'.repeat(2_000)}`],
    [
      'has thousands of functions that call each other',
      many(2_000, (i) => `function f${i}(x){f${(i * 7) % 2_000}(x)}`),
    ],
    [
      'branches without end',
      `function f(x) {\n${many(1_000, (i) => `if (x.a${i}) x.b${i} = x.a${i} + input`)}\n}`,
    ],
    ['has loops in loops', `${'for (const a of b) {\n'.repeat(60)}g(a)\n${'}\n'.repeat(60)}`],
    ['is a sum without end', `x = ${'1 +\n'.repeat(20_000)}1`],
  ]
  test.for(HARD)(
    'and %s is done with in time: looked at, or told of as too much',
    { timeout: TIME_MAX_MS },
    async ([, text]) => {
      const { findings, skipped } = await scan(`run(input)\n${text}`, {
        budget: { ...BUDGET, msPerFile: 400 },
      })
      const isTold = skipped.some(({ reason }) => reason === 'too_complex')
      expect(findings.some(({ line }) => line === 1) || isTold, JSON.stringify(skipped)).toBe(true)
    },
  )

  test('and is no code at all is read as far as it can be', async () => {
    expect((await scan(`run(input)\n${'}{)(\n'.repeat(50)}`)).findings).toHaveLength(1)
  })
})

describe('a budget', () => {
  const CODE = `run(input)\nfunction slow() { ${'a(b(c));'.repeat(200)} }\nfunction last() { run(input) }`

  test('of a function that is used up ends that function alone', async () => {
    const budget = { stepsPerFile: 100_000, stepsPerFunction: 300, msPerFile: 5_000 }
    const { findings, skipped } = await scan(CODE, { budget })
    expect(findings.map(({ line }) => line)).toEqual([1, 3])
    expect(skipped).toEqual([{ path: 'src/a.ts', reason: 'too_complex' }])
  })

  test('of a file that is used up ends the file, with what was found by then', async () => {
    const budget = { stepsPerFile: 300, stepsPerFunction: 300, msPerFile: 5_000 }
    const { findings, skipped } = await scan(CODE, { budget })
    expect(findings.map(({ line }) => line)).toEqual([1])
    expect(skipped).toEqual([{ path: 'src/a.ts', reason: 'too_complex' }])
  })

  test('of time that is used up leaves out what is not reached', async () => {
    expect(await scan(CODE, { msMax: -1 })).toMatchObject({ findings: [], skipped: [{ reason: 'too_slow' }] })
  })
})
