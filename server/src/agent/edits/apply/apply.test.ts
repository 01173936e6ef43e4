import { createHash } from 'node:crypto'
import type { EditHunk, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { describe, expect, test } from 'vitest'
import type { AnswerEnvelope } from '../envelope.ts'
import { type AppliedEdits, applyEnvelope } from './apply.ts'

const envelope = (blocks: FileBlock[], more: Partial<AnswerEnvelope> = {}): AnswerEnvelope => ({
  plan: '',
  summary: '',
  blocks,
  broken: [],
  warnings: [],
  ...more,
})
const update = (path: string, ...hunks: EditHunk[]): FileBlock => ({
  path,
  action: 'update',
  why: 'so',
  change: { kind: 'hunks', hunks },
})
const write = (
  path: string,
  body: string,
  action: 'create' | 'update' = 'create',
  isGuess = false,
): FileBlock => ({
  path,
  action,
  why: '',
  change: { kind: 'body', body, isGuess },
})
const remove = (path: string): FileBlock => ({ path, action: 'delete', why: '', change: { kind: 'none' } })
const apply = (base: Record<string, string>, ...blocks: FileBlock[]): Promise<AppliedEdits> =>
  applyEnvelope(new Map(Object.entries(base)), envelope(blocks))

/** Applies one hunk to a file. Returns the new text or the failure. */
async function outcome(text: string, find: string, replacement: string, path = 'a.txt'): Promise<string> {
  const { edits, failures } = await apply({ [path]: text }, update(path, { find, with: replacement }))
  return failures[0]?.reason ?? edits[0]?.content ?? 'nothing'
}

test('files are created, updated and deleted, each with the hash of its original', async () => {
  const base = { 'a.txt': 'one\ntwo\n', 'c.txt': 'gone\n' }
  const applied = await apply(
    base,
    update('a.txt', { find: 'two', with: 'three' }),
    write('b.txt', 'new\n'),
    remove('c.txt'),
  )
  const sha = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(applied).toEqual({
    edits: [
      {
        path: 'a.txt',
        action: 'update',
        content: 'one\nthree\n',
        description: 'so',
        baseSha256: sha(base['a.txt']),
      },
      { path: 'b.txt', action: 'create', content: 'new\n', description: 'create b.txt', baseSha256: null },
      {
        path: 'c.txt',
        action: 'delete',
        content: '',
        description: 'delete c.txt',
        baseSha256: sha(base['c.txt']),
      },
    ],
    failures: [],
    dropped: [],
    warnings: [],
  })
})

describe('FIND', () => {
  test.for<[name: string, text: string, find: string, replacement: string, expected: string]>([
    ['is exact', 'a\nb\nc\n', 'b', 'B', 'a\nB\nc\n'],
    ['removes its lines', 'a\nb\nc\n', 'b', '', 'a\nc\n'],
    ['fills an empty file', '', '', 'x', 'x\n'],
    ['lacks blanks at the end', 'a  \nb\t\n', 'a\nb', 'a\nB', 'a  \nB\n'],
    ['has other quotes', "say('x')\nend\n", 'say(‘x’)', 'say(‘y’)', "say('y')\nend\n"],
    ['has a no-break space', 'a b\n', 'a\u00a0b', 'a c', 'a c\n'],
    [
      'is outdented',
      'f {\n    a\n    b\n}\n',
      'a\nb',
      'a\nif c\n  d\nb',
      'f {\n    a\n    if c\n      d\n    b\n}\n',
    ],
    [
      'has tabs',
      'f {\n  a\n  if b {\n    c\n',
      '\ta\n\tif b {',
      '\ta\n\tif b {\n\t\td',
      'f {\n  a\n  if b {\n    d\n    c\n',
    ],
    [
      'has spaces for tabs',
      'f\n\ta\n\t\tb\n',
      '    a\n        b',
      '    a\n        b\n    c',
      'f\n\ta\n\t\tb\n\tc\n',
    ],
    [
      'is new at the margin, with tabs',
      'f {\n  a {\n    b\n  }\n}\n',
      '}',
      '}\ng {\n\tc\n}',
      'f {\n  a {\n    b\n  }\n}\ng {\n  c\n}\n',
    ],
    ['skips empty lines', 'a\n\nb\nc\n', 'a\nb\nc', 'a\nb\nC', 'a\n\nb\nC\n'],
    ['has air around it', 'a\nb\nc\n', '\nb\n', '\nB\n', 'a\nB\nc\n'],
    ['keeps CRLF', 'a\r\nb\r\n', 'b', 'B\nC', 'a\r\nB\r\nC\r\n'],
    ['keeps mixed ends', 'a\r\nb\nc\n', 'c', 'd', 'a\r\nb\nd\n'],
    ['keeps a byte order mark', '\ufeffa\nb\n', 'a', 'A', '\ufeffA\nb\n'],
    ['keeps a missing last end', 'a\nb', 'b', 'B\nC', 'a\nB\nC'],
    ['keeps it when the last line goes', 'a\nb\nc', 'c', '', 'a\nb'],
    ['is inserted literally', 'a\nb\n', 'b', "$& $$ $` $' $1", "a\n$& $$ $` $' $1\n"],
  ])('%s', async ([, text, find, replacement, expected]) => {
    expect(await outcome(text, find, replacement)).toBe(expected)
  })

  test('skips comments, and they stay', async () => {
    const text = 'a()\n// why\nb()\nc()\n'
    expect(await outcome(text, 'a()\nb()\nc()', 'a()\nb()\nd()', 'a.js')).toBe('a()\n// why\nb()\nd()\n')
    expect(await outcome(text, 'a()\nb()\nc()', 'a()\nB()\nc()', 'a.js')).toBe('a()\n// why\nB()\nc()\n')
  })

  test.for<[reason: string, text: string, find: string, replacement: string]>([
    ['find_missing', 'a\nb\n', 'x', 'y'],
    ['find_ambiguous', 'a\nb\na\n', 'a', 'y'],
    ['find_ambiguous', '  a\nb\n    a\n', 'a', 'y'],
    ['find_empty', 'a\n', '\n', 'y'],
    ['place_unknown', 'a\n\nb\n', 'a\nb', 'a\nx\nb'],
    ['indent_unknown', 'f\n  a\n      b\n    c\n', 'a\n  b\nc', 'a\n  b\n     x\nc'],
    ['quotes_unknown', "say('x')\n// it’s\n", 'say(‘x’)', 'say(‘y’)\nsay(’)'],
  ])('is rejected (%s) rather than guessed: %j', async ([reason, text, find, replacement]) => {
    expect(await outcome(text, find, replacement)).toBe(reason)
  })

  test('that is not found is reported with the closest real lines, and never applied to them', async () => {
    const text = 'const a = 1\nexport function total(items, rate) {\n  return items.length * rate\n}\n'
    const find = 'export function total(items) {\n  return items.length * rate\n}'
    const { edits, failures } = await apply({ 'a.js': text }, update('a.js', { find, with: 'x' }))
    expect(edits).toEqual([])
    expect(failures).toMatchObject([{ path: 'a.js', reason: 'find_missing' }])
    expect(failures[0]?.closest).toContain(
      'export function total(items, rate) {\n  return items.length * rate\n}',
    )
    expect(failures[0]?.message).toContain('export function total(items) {')
  })
})

describe('a file', () => {
  test('is changed by all of its hunks or by none, and every failed one is reported', async () => {
    const hunks = [
      { find: 'a', with: 'A' },
      { find: 'x', with: 'X' },
      { find: 'y', with: 'Y' },
    ]
    const { edits, failures } = await apply(
      { 'a.txt': 'a\nb\n', 'b.txt': 'b\n' },
      update('a.txt', ...hunks),
      update('b.txt', { find: 'b', with: 'B' }),
    )
    expect(edits.map(({ path }) => path)).toEqual(['b.txt'])
    expect(failures.map(({ path, reason }) => [path, reason])).toEqual([
      ['a.txt', 'find_missing'],
      ['a.txt', 'find_missing'],
    ])
  })

  test('with several blocks is changed by one after the other', async () => {
    const again = update('n.txt', { find: 'one', with: 'two' })
    expect((await apply({}, write('n.txt', 'one\n'), again)).edits).toMatchObject([
      { action: 'create', content: 'two\n' },
    ])
    expect((await apply({ 'n.txt': 'x\n' }, remove('n.txt'), write('n.txt', 'y\n'))).edits).toMatchObject([
      { action: 'update', content: 'y\n' },
    ])
  })

  test('with an incomplete block is left unchanged, despite its other blocks', async () => {
    const broken = [{ path: 'a.txt', reason: 'cut_off' as const }]
    const { edits, failures } = await applyEnvelope(
      new Map([['a.txt', 'a\n']]),
      envelope([update('a.txt', { find: 'a', with: 'b' })], { broken }),
    )
    expect(edits).toEqual([])
    expect(failures).toMatchObject([{ path: 'a.txt', reason: 'cut_off' }])
  })

  test('that was not shown is neither updated nor deleted, and a file of the same name is suggested', async () => {
    const { edits, failures } = await apply(
      { 'src/a.txt': 'a\n' },
      update('lib/a.txt', { find: 'a', with: 'b' }),
      write('x.txt', 'x\n', 'update'),
      remove('y.txt'),
    )
    expect(edits).toEqual([])
    expect(failures).toMatchObject([
      { path: 'lib/a.txt', reason: 'unknown_path', closest: 'src/a.txt' },
      { path: 'x.txt', reason: 'unknown_path' },
      { path: 'y.txt', reason: 'unknown_path' },
    ])
  })

  test('that exists is rewritten by a create, with its own line ends', async () => {
    const { edits } = await apply({ 'a.txt': '\ufeffa\r\nb' }, write('a.txt', 'c\nd\n'))
    expect(edits).toMatchObject([{ action: 'update', content: '\ufeffc\r\nd' }])
  })

  test('is not replaced by a possible fragment of it', async () => {
    const text = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')
    const { failures } = await apply({ 'a.txt': text }, write('a.txt', 'line 1\nline X\n', 'create', true))
    expect(failures).toMatchObject([{ reason: 'fragment' }])
    expect((await apply({ 'a.txt': text }, write('a.txt', 'line 1\n'))).edits).toHaveLength(1)
  })

  test('without a change is not an edit', async () => {
    const { edits, warnings } = await apply({ 'a.txt': 'a\n' }, update('a.txt', { find: 'a', with: 'a' }))
    expect({ edits, warnings }).toEqual({ edits: [], warnings: ['no_change: a.txt'] })
  })
})

describe('omitted code', () => {
  const text = 'a()\nb()\nc()\nd()\n'
  test.for<[find: string, replacement: string]>([
    ['a()\nb()\nc()\nd()', 'a()\n// ... rest of the code'],
    ['a()\nb()\nc()\nd()', 'a()\n// remaining methods stay the same'],
    ['a()\nb()\nc()\nd()', '/* ... */\nx()'],
    ['a()', 'a()\n// ... existing code ...'],
    ['a()', 'a()\n// (omitted for brevity)'],
  ])('is detected: %j → %j', async ([find, replacement]) => {
    expect(await outcome(text, find, replacement, 'a.js')).toBe('elision')
  })

  test('is detected in a whole file too', async () => {
    const { failures } = await apply(
      { 'a.py': 'a()\nb()\nc()\nd()\n' },
      write('a.py', 'a()\n# ... rest unchanged\n'),
    )
    expect(failures).toMatchObject([
      { reason: 'elision', message: expect.stringContaining('# ... rest unchanged') },
    ])
  })

  test.for([
    'a()\n// Reads the remaining lines of the file.',
    'a()\n// f(...args) takes them all',
    'a()\n// Wait...',
  ])('is not detected in an ordinary comment: %j', async (replacement) => {
    expect(await outcome(text, 'a()', replacement, 'a.js')).toContain(replacement)
  })
})

describe('paths', () => {
  test('that are unsafe are dropped and reported, and the rest is applied', async () => {
    const { edits, dropped } = await apply(
      {},
      write('../x', ''),
      write('.git/hooks/a', 'x'),
      write('a\u202e', 'x'),
      write('b.txt', 'b\n'),
    )
    expect(edits.map(({ path }) => path)).toEqual(['b.txt'])
    expect(dropped).toEqual([
      { path: '../x', reason: 'dot_segment' },
      { path: '.git/hooks/a', reason: 'protected' },
      { path: 'a\\u{202e}', reason: 'invisible_character' },
    ])
  })

  test.for<[base: string[], first: string, second: string]>([
    [[], 'A.txt', 'a.txt'],
    [[], 'src/a', 'src/a/b.txt'],
    [[], 'src/a/b.txt', 'src/a'],
    [['Src/a.txt'], 'x.txt', 'src/A.txt'],
    [['src/a'], 'x.txt', 'src/a/b.txt'],
  ])('that collide are rejected for the second: %j %s %s', async ([base, first, second]) => {
    const files = Object.fromEntries(base.map((path) => [path, 'x\n']))
    const { edits, dropped } = await apply(files, write(first, 'y\n'), write(second, 'y\n'))
    expect(edits.map(({ path }) => path)).toEqual([first])
    expect(dropped).toEqual([{ path: second, reason: 'collision' }])
  })
})

describe('limits', () => {
  const limits = { filesMax: 2, fileBytesMax: 10, totalBytesMax: 15 }
  const within = async (...blocks: FileBlock[]) => {
    const { edits, failures } = await applyEnvelope(new Map(), envelope(blocks), limits)
    return [edits.map(({ path }) => path), failures.map(({ path, reason }) => `${path} ${reason}`)]
  }
  test('apply to the number of files, the size of one and the total size', async () => {
    expect(await within(write('a', 'x'), write('b', 'x'), write('c', 'x'))).toEqual([
      ['a', 'b'],
      ['c too_many_files'],
    ])
    expect(await within(write('a', 'x'.repeat(11)), write('b', 'é'.repeat(5)))).toEqual([
      ['b'],
      ['a file_too_large'],
    ])
    expect(await within(write('a', 'x'.repeat(9)), write('b', 'x'.repeat(9)))).toEqual([
      ['a'],
      ['b total_too_large'],
    ])
  })

  test('apply to the hunks of one file', async () => {
    const hunks = Array.from({ length: 201 }, () => ({ find: 'a', with: 'b' }))
    expect((await apply({ 'a.txt': 'a\n' }, update('a.txt', ...hunks))).failures).toMatchObject([
      { reason: 'too_many_hunks' },
    ])
  })
})
