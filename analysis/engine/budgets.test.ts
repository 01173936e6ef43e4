import { toyModel, toyRule } from '@cowrie/testkit/analysis/toy-language.ts'
import { describe, expect, test } from 'vitest'
import { scanFiles } from './scan-files.ts'

/** Generous, because test machines are slow. */
const TIME_MAX_MS = 20_000
const TOY = [{ model: toyModel, rules: [toyRule] }]
const scan = (content: string, options = {}) => scanFiles([{ path: 'src/a.ts', content }], TOY, [], options)
const limitedTo = (perFile: number, stepsPerFunction: number) => ({
  stepsPerFunction,
  stepsPerFile: { base: perFile, perCharacter: 0, max: perFile },
  stepsPerScan: { base: 1_000_000, perCharacter: 0 },
})

describe('a hostile file', () => {
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
    ['has nested loops', `let c\n${'for (const a of b) {\n'.repeat(60)}c = g(a, c)\n${'}\n'.repeat(60)}`],
    ['is a very long sum', `x = ${'1 +\n'.repeat(20_000)}1`],
  ]
  test.for(HARD)(
    'that %s is analyzed within the time limit or reported as too complex',
    { timeout: TIME_MAX_MS },
    async ([, text]) => {
      const { findings, skipped } = await scan(`run(input)\n${text}`)
      const isTold = skipped.some(({ reason }) => reason === 'too_complex')
      expect(findings.some(({ line }) => line === 1) || isTold, JSON.stringify(skipped)).toBe(true)
    },
  )

  test('that is not code is parsed as far as possible', async () => {
    expect((await scan(`run(input)\n${'}{)(\n'.repeat(50)}`)).findings).toHaveLength(1)
  })
})

test('a library of 3,000 lines inside one function is analyzed to its end', async () => {
  const line = `use(${Array.from({ length: 18 }, (_, index) => `a(${index})`).join(', ')})\n`
  const { findings, skipped } = await scan(`function all() {\n${line.repeat(3_000)}run(input)\n}`)
  expect(skipped).toEqual([])
  expect(findings.map((each) => each.line)).toEqual([3_002])
})

describe('a budget', () => {
  const CODE = `run(input)\nfunction slow() { ${'a(b(c));'.repeat(200)} }\nfunction last() { run(input) }`

  test('for a function stops only that function', async () => {
    const budget = limitedTo(100_000, 300)
    const { findings, skipped } = await scan(CODE, { budget })
    expect(findings.map(({ line }) => line)).toEqual([1, 3])
    expect(skipped).toEqual([{ path: 'src/a.ts', reason: 'too_complex' }])
  })

  test('for a file stops the file and keeps the findings so far', async () => {
    const budget = limitedTo(300, 300)
    const { findings, skipped } = await scan(CODE, { budget })
    expect(findings.map(({ line }) => line)).toEqual([1])
    expect(skipped).toEqual([{ path: 'src/a.ts', reason: 'too_complex' }])
  })

  test('for all files names the files that are not reached', async () => {
    const files = ['src/a.ts', 'src/b.ts'].map((path) => ({ path, content: CODE }))
    const budget = { ...limitedTo(100_000, 100_000), stepsPerScan: { base: 1_500, perCharacter: 0 } }
    const { findings, skipped } = await scanFiles(files, TOY, [], { budget })
    expect(findings.map(({ path, line }) => [path, line])).toEqual([
      ['src/a.ts', 1],
      ['src/a.ts', 3],
      ['src/b.ts', 1],
    ])
    expect(skipped).toEqual([{ path: 'src/b.ts', reason: 'too_complex' }])
  })

  test.for([
    ['nothing', ''],
    ['their own variables', ' let own = 1; own = [own, a];'],
    ['a variable to the value it has', ' last = first;'],
  ])('is not used up by nested loops that change %s', async ([, change]) => {
    const depth = 20
    const loops = `for (const a of list) {${change}\n`.repeat(depth)
    const nested = `let [first, last] = [{}, {}]; last = first\n${loops}run(input)\n${'}\n'.repeat(depth)}`
    const { findings, skipped } = await scan(nested, { budget: limitedTo(10_000, 10_000) })
    expect(findings.map(({ line }) => line)).toEqual([depth + 2])
    expect(skipped).toEqual([])
  })
})
