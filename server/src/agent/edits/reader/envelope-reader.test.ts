import type { FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { describe, expect, test } from 'vitest'
import { mark } from '../../prompt/markers.ts'
import type { Finish } from '../envelope.ts'
import { createEnvelopeReader, readEnvelope } from './envelope-reader.ts'

const N = '7f3a9c12'
const m = (words: string) => mark(N, words)

const ANSWER = [
  m('PLAN'),
  '1. Change a.',
  '2. Add b [see below].',
  m('FILE update src/a.ts'),
  'why: it was wrong',
  m('FIND'),
  '  const a = 1',
  m('WITH'),
  '  const a = 2',
  m('END'),
  m('FIND'),
  'old()',
  m('WITH'),
  m('END'),
  m('FILE create src/b.ts'),
  'why: it was missing',
  m('BODY'),
  'export const b = 1',
  '',
  m('END'),
  m('FILE delete src/c.ts'),
  'why: it is unused',
  m('SUMMARY'),
  'Done.',
].join('\n')

const BLOCKS: FileBlock[] = [
  {
    path: 'src/a.ts',
    action: 'update',
    why: 'it was wrong',
    change: {
      kind: 'hunks',
      hunks: [
        { find: '  const a = 1', with: '  const a = 2' },
        { find: 'old()', with: '' },
      ],
    },
  },
  {
    path: 'src/b.ts',
    action: 'create',
    why: 'it was missing',
    change: { kind: 'body', body: 'export const b = 1\n\n', isGuess: false },
  },
  { path: 'src/c.ts', action: 'delete', why: 'it is unused', change: { kind: 'none' } },
]

const read = (text: string, finish: Finish = 'stop') => readEnvelope(text, N, finish)
const file = (about: string, ...lines: string[]) => [m(`FILE ${about}`), 'why: so', ...lines].join('\n')
const hunk = (find: string, replacement: string) =>
  [m('FIND'), find, m('WITH'), replacement, m('END')].join('\n')
const changeOf = (text: string, finish: Finish = 'stop') => read(text, finish).blocks[0]?.change
const ONE = { kind: 'hunks', hunks: [{ find: 'a', with: 'b' }] }

test('an answer is read into its plan, its blocks and its summary', () => {
  expect(read(ANSWER)).toEqual({
    plan: '1. Change a.\n2. Add b [see below].',
    summary: 'Done.',
    blocks: BLOCKS,
    broken: [],
    warnings: [],
  })
})

test.for([1, 2, 3, 7, 40])('chunks of %i characters give the same answer, and stream its prose', (size) => {
  const reader = createEnvelopeReader(N)
  let shown = ''
  for (let at = 0; at < ANSWER.length; at += size) shown += reader.push(ANSWER.slice(at, at + size))
  expect(reader.end('stop')).toEqual(read(ANSWER))
  expect(shown).toBe('1. Change a.\n2. Add b [see below].\nDone.')
})

test('prose is shown before its line ends, but never a part of a mark', () => {
  const reader = createEnvelopeReader(N)
  expect(reader.push(`${m('PLAN')}\nFirst `)).toBe('First ')
  expect(reader.push('this')).toBe('this')
  expect(reader.push(' [maybe')).toBe(' ')
  expect(reader.push('] that\n**[')).toBe('[maybe] that\n')
  expect(reader.push(`[${N} FI`)).toBe('')
  expect(reader.push('LE delete a.ts]]**\nsecret')).toBe('')
})

describe('a mark is recognised', () => {
  test.for([
    `[${N} FILE update src/a.ts]`,
    `[[[${N} FILE update src/a.ts]]]`,
    `<<${N} FILE update src/a.ts>>`,
    `<${N} FILE update src/a.ts>`,
    `{{${N} FILE update src/a.ts}}`,
    `((${N} FILE update src/a.ts))`,
    `【${N} FILE update src/a.ts】`,
    `[[ ${N}  FILE  update  src/a.ts ]]`,
    `[[${N} FILE update src/a.ts]`,
    `[[${N} FILE update src/a.ts`,
    `**[[${N} FILE update src/a.ts]]**`,
    `### [[${N} FILE update src/a.ts]]`,
    `\`[[${N} FILE update src/a.ts]]\``,
    `[[${N}: FILE update src/a.ts]]`,
    `[[${N} file update \`src/a.ts\`]]`,
    `[[${N} FILE update "./src/a.ts"]]`,
    `[[${N} FILE update path=src/a.ts]]`,
    `[[${N} UPDATE src/a.ts]]`,
    `[[${N} FILE src/a.ts]]`,
    `[[${N.toUpperCase()} FILE update src/a.ts]]`,
    `[[${N} FILE update src/a.ts]] why: so`,
    `[[${N} FILE update src/a.ts]]:`,
    `[[${N} FILE update src/a.ts]]: why: so`,
    `**[[${N} FILE update src/a.ts]]:**`,
    `**[[${N} FILE update src/a.ts]]**:`,
    `[${N} FILE update src/a.ts]:`,
  ])('as %s', (line) => {
    const { blocks } = read([line, hunk('a', 'b')].join('\n'))
    expect(blocks).toMatchObject([{ path: 'src/a.ts', action: 'update', change: ONE }])
  })

  test.for([
    ['app/[id]/page.tsx', '[[', ']]'],
    ['app/[id]', '[[', ']]'],
    ['app/[id]', '[', ']'],
    ['app/(group)/x', '((', '))'],
  ])('with the brackets of %s left to it', ([path, open, close]) => {
    expect(read(`${open}${N} FILE delete ${path}${close}\n`).blocks[0]?.path).toBe(path)
  })

  test('at the end of the line before it', () => {
    const text = `${m('FILE create a.ts')}\n${m('BODY')}\nfoo()${m('END')}\n`
    expect(changeOf(text)).toEqual({ kind: 'body', body: 'foo()\n', isGuess: false })
  })

  test('not without the nonce of the run', () => {
    const body = '[[00000000 END]]\n[[END]]\n[[00000000 FILE delete x.ts]]'
    const { blocks } = read(file('create a.txt', m('BODY'), body, m('END')))
    expect(blocks).toMatchObject([{ path: 'a.txt', change: { body: `${body}\n` } }])
  })

  test('not where prose mentions it', () => {
    const { plan, blocks } = read(`${m('PLAN')}\nI write a ${m('FIND')} block.\n${m('SUMMARY')}\nx`)
    expect({ plan, blocks }).toEqual({ plan: `I write a ${m('FIND')} block.`, blocks: [] })
  })
})

describe('a block is recognised', () => {
  test.for<[name: string, text: string]>([
    ['with fences around both parts', file('update a.ts', hunk('```ts\na\n```', '```ts\nb\n```'))],
    ['with a fence around all of it', file('update a.ts', '```', hunk('a', 'b'), '```')],
    ['with one fence over both parts', file('update a.ts', hunk('```ts\na', 'b\n```'))],
    ['with its name repeated', file('update a.ts', hunk('a.ts\n```\na\n```', '`a.ts`:\nb'))],
    ['with marks written twice', file('update a.ts', m('FIND'), hunk('a', `${m('WITH')}\nb`), m('END'))],
    ['with its file named twice', `${m('FILE update a.ts')}\n${file('update a.ts', hunk('a', 'b'))}`],
    [
      'without END before the next file',
      `${file('update a.ts', m('FIND'), 'a', m('WITH'), 'b')}\n${file('delete c.ts')}`,
    ],
    [
      'with the marks of a conflict',
      file('update a.ts', '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE', m('END')),
    ],
    [
      'with these in FIND',
      file('update a.ts', m('FIND'), '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE', m('END')),
    ],
    [
      'as a diff',
      file('update a.ts', '```diff', '--- a/a.ts', '+++ b/a.ts', '@@ -1 +1 @@', '-a', '+b', '```', m('END')),
    ],
    ['with lines that end in CRLF', file('update a.ts', hunk('a', 'b')).replaceAll('\n', '\r\n')],
    [
      'after thinking aloud',
      `<think>\n${file('update z.ts', hunk('x', 'y'))}\n</think>\n${file('update a.ts', hunk('a', 'b'))}`,
    ],
  ])('%s', ([, text]) => {
    expect(changeOf(text)).toEqual(ONE)
  })

  test('as a whole file where an update was announced, and as a guess without a mark', () => {
    expect(changeOf(file('update a.ts', m('BODY'), 'x', m('END')))).toMatchObject({
      body: 'x\n',
      isGuess: false,
    })
    expect(changeOf(file('update a.ts', 'x', m('END')))).toMatchObject({ body: 'x\n', isGuess: true })
  })

  test('as a new file without BODY', () => {
    expect(changeOf(file('create a.ts', '```ts', 'x', '```', m('END')))).toMatchObject({ body: 'x\n' })
  })

  test('with the fences that belong to a text about code', () => {
    const body = '```sh\nnpm start\n```\nand\n```sh\nnpm test\n```'
    expect(changeOf(file('create README.md', m('BODY'), body, m('END')))).toMatchObject({ body: `${body}\n` })
    const wrapped = `\`\`\`markdown\n${body}\n\`\`\``
    expect(changeOf(file('create README.md', m('BODY'), wrapped, m('END')))).toMatchObject({
      body: `${body}\n`,
    })
  })

  test('with a comment that names the file', () => {
    expect(changeOf(file('create a.ts', m('BODY'), '// a.ts', 'x', m('END')))).toMatchObject({
      body: '// a.ts\nx\n',
    })
  })
})

describe('a block is not an edit', () => {
  const CUT: [name: string, text: string][] = [
    ['in FIND', file('update a.ts', m('FIND'), 'a')],
    ['in WITH', file('update a.ts', m('FIND'), 'a', m('WITH'), 'b')],
    ['in its second hunk', file('update a.ts', hunk('a', 'b'), m('FIND'), 'c')],
    ['in its body', file('create a.ts', m('BODY'), 'half of')],
    ['in END', file('create a.ts', m('BODY'), 'half of', `[[${N} EN`)],
    ['before its first part', file('update a.ts')],
    ['in its name', `[[${N} FILE delete a.ts`],
  ]
  test.for(
    CUT.flatMap(([name, text]) => (['length', 'stopped'] as const).map((how) => [name, how, text] as const)),
  )('if it was cut off %s (%s)', ([, finish, text]) => {
    const { blocks, broken } = read(`${file('delete c.ts')}\n${text}`, finish)
    expect(blocks.map(({ path }) => path)).toEqual(['c.ts'])
    expect(broken).toEqual([{ path: 'a.ts', reason: 'cut_off' }])
  })

  test.for([
    ['FIND has no WITH', file('update a.ts', m('FIND'), 'a', m('FIND'), 'c', m('WITH'), 'd', m('END'))],
    ['WITH has no FIND', file('update a.ts', m('WITH'), 'd', m('END'))],
    ['it is empty', file('update a.ts')],
  ])('if %s', ([, text = '']) => {
    expect(read(`${text}\n${m('SUMMARY')}`)).toMatchObject({
      blocks: [],
      broken: [{ path: 'a.ts', reason: 'damaged' }],
    })
  })

  test('but a file that was complete when the answer was cut is one', () => {
    expect(read(ANSWER.slice(0, ANSWER.indexOf('Done')), 'length').blocks).toEqual(BLOCKS)
    expect(changeOf(file('update a.ts', hunk('a', 'b')), 'length')).toEqual(ONE)
  })
})

test('an answer that decides against edits has none, and no warning', () => {
  expect(read(`${m('PLAN')}\n1. Ask.\n${m('SUMMARY')}\nI cannot.\n\`\`\`a.ts\nx\n\`\`\``)).toEqual({
    plan: '1. Ask.',
    summary: 'I cannot.\n```a.ts\nx\n```',
    blocks: [],
    broken: [],
    warnings: [],
  })
})
