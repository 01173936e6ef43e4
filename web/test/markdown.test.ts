import { full, line, PATTERNS, readingCost, tree } from '@cowrie/testkit/web/markdown.ts'
import { describe, expect, test } from 'vitest'
import { type Block, decided, splitBlocks } from '../src/ui/markdown/markdown-blocks.ts'
import { safeAddress } from '../src/ui/markdown/markdown-inline.ts'

test.for([
  'Dial *170#.',
  'Dial *170# or *171#.',
  '*170*1# and *737*1*500#',
  '*170#...*',
  '*#06# shows it',
  '**21*0241234567# forwards calls',
  'Compute 2*3 * 4',
  'my_long_name and C#',
])('%s is shown literally', (text) => {
  expect(line(text)).toBe(text)
})

test('a dial code in bold keeps its stars', () => {
  expect(line('**Dial *170*1#** *now*')).toBe('{strong Dial *170*1#} {em now}')
})

describe('blocks', () => {
  test('are recognized with and without blank lines between them', () => {
    expect(tree('# One\ntext\nmore\n## C# #\n\n---\n> said\n> twice\n\nend\n===')).toEqual([
      { h1: 'One' },
      'text\nmore',
      { h2: 'C#' },
      'rule',
      { quote: ['said\ntwice'] },
      { h1: 'end' },
    ])
  })

  test('code keeps every line until its fence closes', () => {
    expect(tree('````ts\n```\n# no heading\n\n  deep\n````\nafter')).toEqual([
      { 'code ts': '```\n# no heading\n\n  deep' },
      'after',
    ])
    expect(tree('~~~\nhalf')).toEqual([{ 'code ': 'half', open: true }])
    expect(tree('```js title="a"\n```')).toEqual([{ 'code js': '' }])
  })

  test('lists can be nested, numbered, task lists and contain other blocks', () => {
    expect(tree('1. a\n   - b\n     - c\n   - d\n2. e\n\n   ```sh\n   - ls\n   ```\n3. f')).toEqual([
      { 'ol 1': [['a', { ul: [['b', { ul: [['c']] }], ['d']] }], ['e', { 'code sh': '- ls' }], ['f']] },
    ])
    expect(tree('- [x] done\n- [ ] not yet\n\n* other')).toEqual([
      {
        ul: [
          [true, 'done'],
          [false, 'not yet'],
        ],
      },
      { ul: [['other']] },
    ])
  })

  test('a list with a small indentation is still nested', () => {
    expect(tree('1. a\n  - b\n    - c\n10. d')).toEqual([
      { 'ol 1': [['a', { ul: [['b', { ul: [['c']] }]] }], ['d']] },
    ])
  })

  test('code between numbered items does not restart the numbers', () => {
    expect(tree('1. a\n```\nx\n```\n2. b')).toEqual([
      { 'ol 1': [['a']] },
      { 'code ': 'x' },
      { 'ol 2': [['b']] },
    ])
  })

  test('tables have cells, alignment, and pipes inside code', () => {
    expect(tree('text\n| a | b |\n|:-:|--:|\n| `x|y` | 1 \\| 2 |\n| only |')).toEqual([
      'text',
      { table: [['a', 'b'], ['`x|y`', '1 | 2'], ['only']], aligns: 'center end' },
    ])
    expect(tree('a | b\nno rule')).toEqual(['a | b\nno rule'])
  })

  test('a complete block keeps its identity when more text arrives', () => {
    const text =
      '# Head\n\npara one\nstill\n\n- a\n- b\n\n  more\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```ts\nlet a\n\n```\nend\n> q\n1. z'
    let blocks: Block[] = []
    for (let end = 1; end <= text.length; end++) {
      const next = splitBlocks(text.slice(0, end), blocks)
      for (const [at, block] of blocks.slice(0, -1).entries()) expect(next[at]).toBe(block)
      blocks = next
    }
    expect(blocks).toEqual(splitBlocks(text))
  })

  test('an ambiguous end is not shown yet', () => {
    expect(decided('text\n``')).toBe('text\n')
    expect(decided('text\n12.')).toBe('text\n')
    expect(decided('text\n- ')).toBe('text\n')
    expect(decided('text\n- a')).toBe('text\n- a')
    expect(decided('text')).toBe('text')
  })
})

describe('lines', () => {
  test('emphasis can be nested, and is literal if unclosed', () => {
    expect(line('**bold *both* bold** and *one*')).toBe('{strong bold {em both} bold} and {em one}')
    expect(line('***both***')).toBe('{em {strong both}}')
    expect(line('5 * 3 * 2, **open, a_b_c, *.ts and ~~gone~~ ~no~')).toBe(
      '5 * 3 * 2, **open, a_b_c, *.ts and {strike gone} ~no~',
    )
    expect(line('**مرحبا** بك')).toBe('{strong مرحبا} بك')
  })

  test('code is literal', () => {
    expect(line('`a*b*` and `` ` `` and `open')).toBe('{code a*b*} and {code `} and `open')
    expect(line('`[x](https://a.b)`')).toBe('{code [x](https://a.b)}')
  })

  test('links are only http and mailto', () => {
    expect(line('[a *b*](https://x.org/y_(z) "t") <mailto:a@b.c>')).toBe(
      '{link https://x.org/y_(z) a {em b}} {link mailto:a@b.c mailto:a@b.c}',
    )
    expect(line('See https://x.org/a_b, (https://y.org/c).')).toBe(
      'See {link https://x.org/a_b https://x.org/a_b}, ({link https://y.org/c https://y.org/c}).',
    )
    expect(line('![shot](https://x.org/a.png)')).toBe('{link https://x.org/a.png shot}')
  })

  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert)',
    '[x](data:text/html,hi)',
    '[x](vbscript:a)',
    '[x](//x.org)',
    '[x](/app/wallet)',
    '<javascript:alert(1)>',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
    '![x](javascript:alert)',
  ])('%s stays text', (text) => {
    expect(line(text)).toBe(text)
  })

  test('URLs are parsed like in the browser', () => {
    expect(safeAddress('java\nscript:alert(1)')).toBeNull()
    expect(safeAddress('\u0001javascript:alert(1)')).toBeNull()
    expect(safeAddress('https://x.org/"><b>')).toBe('https://x.org/%22%3E%3Cb%3E')
  })

  test('numbers in brackets are citations; line breaks and escapes are parsed', () => {
    expect(line('so [1][12], [a] [1](https://x.org)')).toBe(
      'so {cite 1}{cite 12}, [a] {link https://x.org/ 1}',
    )
    expect(line('a  \nb<br>c\\\nd \\*e\\* &lt;f&gt; &copy;')).toBe('a  ⏎b⏎c⏎d *e* <f> &copy;')
  })
})

describe('long and unusual input', () => {
  /** One of each syntax. */
  const KINDS = [
    '*',
    '**a *a ',
    '~~',
    '`a``b```c',
    '[a](b',
    '<a',
    '> > ',
    '  - a\n',
    '#',
    '|-',
    'https://a.b/(',
  ]

  test.each(KINDS)('200 kB of %j are parsed quickly', (pattern) => {
    expect(readingCost(pattern)).toBeLessThan(4_000)
  })

  test('random mixtures are parsed, and no text is lost', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    for (let round = 0; round < 150; round++) {
      const text = Array.from(
        { length: 40 },
        () => PATTERNS[random(PATTERNS.length)] + (random(3) ? 'w ' : ''),
      ).join('')
      expect(() => full(text)).not.toThrow()
      const words = (of: string) => of.match(/w/g)?.length ?? 0
      expect(words(JSON.stringify(tree(text)))).toBeGreaterThanOrEqual(words(text) - infoWords(text))
    }
  })
})

/** The info string of a fence is the language, of which one word is shown. */
const infoWords = (text: string): number =>
  text
    .split('\n')
    .reduce((sum, each) => sum + (/```|~~~|\[a\]\(/.test(each) ? (each.match(/w/g)?.length ?? 0) : 0), 0)
