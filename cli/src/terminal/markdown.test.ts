import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { render } from './line.ts'
import { markdownLines, markdownStream } from './markdown.ts'

const shown = (text: string, color = false) =>
  markdownLines(text)
    .map((line) => render(line, color))
    .join('\n')

/** Renders the text in chunks of these lengths. */
function streamed(text: string, lengths: readonly number[], width = 10_000): string {
  let out = ''
  const stream = markdownStream((more) => (out += more), { color: false, width: () => width })
  for (let at = 0, i = 0; at < text.length; i++) {
    const length = lengths[i % lengths.length] ?? 1
    stream.take(text.slice(at, at + length))
    at += length
  }
  stream.end()
  return out
}

test('markdown becomes styles', () => {
  expect(shown('# Title\n**Fixed** `add()` in *one* line', true)).toBe(
    '\x1b[1mTitle\x1b[0m\n\x1b[1mFixed\x1b[0m \x1b[36madd()\x1b[0m in \x1b[3mone\x1b[0m line',
  )
  expect(shown('> quoted\n- [docs](https://example.com/a)')).toBe(
    '    quoted\n- docs (https://example.com/a)',
  )
})

describe('plain text stays unchanged', () => {
  test.for([
    'Dial *170# now',
    'Dial *171*1# or *172*2#, then 1',
    'pay to snake_case_name and __init__.py files',
    '2 * 3 * 4 = 24',
    'a ** b',
    'if a < b && c > d',
    'an unclosed `tick and **bold',
    '#170 is no heading',
    'array[0](later)',
  ])('%s', (text) => expect([shown(text), streamed(text, [1])]).toEqual([text, `${text}\n`]))

  test('escaped markup is printed literally', () => {
    expect(shown('\\*170\\# and 1 &lt; 2')).toBe('*170# and 1 < 2')
  })

  test('code is unchanged', () => {
    const code = 'const a = b ** c // **not bold** `x` &lt;'
    expect(shown(`\`\`\`js\n${code}\n\`\`\``)).toBe(code)
    expect(streamed(`\`\`\`js\n${code}\n\`\`\`\n`, [3], 20)).toBe(`${code}\n`)
  })
})

test('streamed text is rendered like the whole text', () => {
  const piece = fc.constantFrom(
    'word ',
    '**bold words** ',
    '`code x` ',
    '*170# ',
    '*yes* ',
    '# ',
    '\n',
    '> q ',
    '[a](https://b.c) ',
    '[1] ',
    '- item ',
    '_',
    '**',
    '\\* ',
    '& ',
    '```\n',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      (pieces, lengths) => {
        const text = pieces.join('').trimEnd()
        const lines = (each: string) =>
          each
            .split('\n')
            .map((line) => line.trimEnd())
            .join('\n')
            .trimEnd()
        expect(lines(streamed(text, lengths))).toBe(lines(shown(text)))
      },
    ),
  )
})

test('words are printed before their line is complete, and lines wrap at spaces', () => {
  let out = ''
  const stream = markdownStream((more) => (out += more), { color: false, width: () => 12 })
  stream.take('one two thr')
  expect(out).toBe('one two')
  stream.take('ee four')
  stream.end()
  expect(out).toBe('one two\nthree four\n')
})

describe('tables', () => {
  const table = '| name | price |\n|---|--:|\n| `small` | ₦1 |\n| larger one | ₦12 |\n'
  test('are aligned, also when they stream', () => {
    const lines = 'name        price\nsmall       ₦1\nlarger one  ₦12'
    expect(shown(table.trimEnd())).toBe(lines)
    expect(streamed(`${table}after it`, [1], 40)).toBe(`${lines}\nafter it\n`)
  })

  test('that are too wide have one line per cell', () => {
    expect(streamed(table, [5], 14)).toBe('small\n  price: ₦1\n\nlarger one\n  price: ₦12\n\n')
  })

  test('need a rule below their head', () => {
    expect(shown('| not | a table |')).toBe('| not | a table |')
  })
})

test('code is coloured, and its language is not printed', () => {
  expect(shown('```ts\nconst a = 1\n```', true)).toBe('\x1b[35mconst\x1b[0m a = \x1b[33m1\x1b[0m')
})

test('links keep their address, and only web addresses are links', () => {
  expect(markdownLines('[docs](https://example.com/a) [x](javascript:alert)')[0]).toContainEqual({
    text: 'docs',
    link: 'https://example.com/a',
  })
  expect(shown('[x](javascript:alert)')).toBe('[x](javascript:alert)')
})
