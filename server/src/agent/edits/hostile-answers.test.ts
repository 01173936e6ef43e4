import { setImmediate } from 'node:timers/promises'
import { measureAsyncCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { changeFile } from '@cowrie/workspace/edits/change-file.ts'
import { EDIT_LIMITS } from '@cowrie/workspace/edits/file-block.ts'
import { createWorkTime } from '@cowrie/workspace/edits/work-time.ts'
import { describe, expect, test } from 'vitest'
import { mark } from '../prompt/markers.ts'
import { parseAnswer } from '../run/answer.ts'
import { readEnvelope } from './reader/envelope-reader.ts'

const N = '7f3a9c12'
const m = (words: string) => mark(N, words)
const hunk = (find: string, replacement: string) =>
  [m('FIND'), find, m('WITH'), replacement, m('END')].join('\n')
const update = (path: string, ...parts: string[]) =>
  [m(`FILE update ${path}`), 'why: so', ...parts].join('\n')
const body = (text: string) => [m('BODY'), text, m('END')].join('\n')
const whole = (...parts: string[]) => [m('PLAN'), '1. Do it.', ...parts, m('SUMMARY'), 'Done.'].join('\n')
const DELETE = m('FILE delete item.ts')
const OK = update('a.txt', hunk('a', 'A'))
const FILES = { 'item.ts': 'export type Item = {}\n', 'a.txt': 'a\nb\n' }

async function read(text: string, files: Record<string, string> = FILES, unseen: string[] = []) {
  const omitted = unseen.map((path) => ({ path, lines: 1, shownLines: 0 }))
  const context = { included: [], omitted }
  const answer = await parseAnswer(new Map(Object.entries(files)), context, N, { text, finish: 'stop' })
  return {
    edits: answer.edits.map(({ action, path }) => `${action} ${path}`),
    failures: answer.failures.map(({ path, reason }) => `${path} ${reason}`),
    dropped: answer.dropped.map(({ path, reason }) => `${path} ${reason}`),
    warnings: answer.warnings,
  }
}

describe('a file is not deleted by', () => {
  test.for<[name: string, text: string]>([
    ['a mark within the summary', `${whole(OK)}\nI did not write ${DELETE} because it is used.`],
    [
      'a mark within the plan',
      [m('PLAN'), `1. Do not use ${DELETE} here.`, OK, m('SUMMARY'), 'x'].join('\n'),
    ],
    ['thinking aloud in the plan', `${m('PLAN')}\n<reasoning>\n${DELETE}\nwhy: x\n</reasoning>\n${OK}`],
    ['thinking aloud between files', whole(`<think>\n${DELETE}\nwhy: x\n</think>`, OK)],
    ['thinking aloud after a file', whole(`${OK}\n<thinking>\n${DELETE}\nwhy: x\n</thinking>`)],
    ['what ends in a lone tag', `${DELETE}\nwhy: x\nNo.\n</think>\n${whole(OK)}`],
    ['what ends in a lone tag before a mark', `${DELETE}\nwhy: x\n</thinking>${whole(OK)}`],
    [
      'thinking aloud that ends within a body',
      `${DELETE}\nwhy: x\n${update('b.ts', m('BODY'), 'x')}\n</think>\n${whole(OK)}`,
    ],
    ['a body that was only thought', `${update('b.ts', m('BODY'), 'x')}\n${DELETE}\n</think>\n${whole(OK)}`],
  ])('%s', async ([, text]) => {
    expect(await read(text)).toMatchObject({ edits: ['update a.txt'], failures: [] })
  })

  test.for<[name: string, text: string]>([
    ['with prose below it', whole(OK, `${DELETE}\nwhy: unused\nOr rather not.`)],
    ['in a summary without a reason', `${whole(OK)}\nI did not write\n${DELETE}\n`],
    ['in a list of the plan', `${m('PLAN')}\n1. ${DELETE}\n${whole(OK)}`],
  ])('a mark %s, which is reported', async ([, text]) => {
    expect(await read(text)).toMatchObject({ edits: ['update a.txt'], failures: ['item.ts damaged'] })
  })

  test('an answer to a partly shown file', async () => {
    const context = { included: [], omitted: [{ path: 'item.ts', lines: 9, shownLines: 3 }] }
    const text = whole(`${DELETE}\nwhy: unused`)
    const answer = await parseAnswer(new Map(Object.entries(FILES)), context, N, { text, finish: 'stop' })
    expect(answer).toMatchObject({ edits: [], failures: [{ path: 'item.ts' }] })
  })
})

test('a delete with its reason, and with its END, is accepted', async () => {
  const text = whole(`${DELETE}\nwhy: unused\n${m('END')}\nThe type is elsewhere now.`)
  expect(await read(text)).toMatchObject({ edits: ['delete item.ts'], failures: [] })
})

test('tags within the text of a file belong to it', () => {
  const text = 'Say:\n<think>\nno\n</think>\n</thinking>'
  const { blocks } = readEnvelope(whole(m('FILE create p.md'), body(text)), N, 'stop')
  expect(blocks).toMatchObject([{ change: { body: `${text}\n` } }])
})

test('a file whose mark is inside prose is requested again and not lost', async () => {
  const [, ...rest] = OK.split('\n')
  const text = whole(`Now ${m('FILE update a.txt')} comes:`, ...rest)
  expect(await read(text)).toMatchObject({ edits: [], failures: ['a.txt damaged'] })
})

test.for<[name: string, text: string]>([
  ['NUL', 'x\0y'],
  ['half of a pair', 'x\ud83dy'],
])('a text with %s is rejected', async ([, text]) => {
  const answer = whole(m('FILE create n.txt'), body(text), update('a.txt', hunk('a', text)))
  expect(await read(answer)).toMatchObject({
    edits: [],
    failures: ['n.txt unstorable', 'a.txt unstorable'],
  })
})

test('an update that removes most of its file is rejected, and a create is not', async () => {
  const text = Array.from({ length: 12 }, (_, i) => `line ${i}`).join('\n')
  const files = { 'a.txt': `${text}\n` }
  const kept = text.split('\n').slice(0, 5).join('\n')
  expect(await read(whole(update('a.txt', body(kept))), files)).toMatchObject({
    failures: ['a.txt fragment'],
  })
  expect(await read(whole(m('FILE create a.txt'), body(kept)), files)).toMatchObject({ failures: [] })
  const indented = text.replaceAll(/^/gm, '  ')
  expect(await read(whole(update('a.txt', body(indented))), files)).toMatchObject({ failures: [] })
})

test('no file is created at the path of a file that the model did not see', async () => {
  const create = (path: string) => `${m(`FILE create ${path}`)}\n${body('x')}`
  expect(await read(whole(create('ITEM.ts'), create('item.ts/x.ts')), FILES, ['item.ts'])).toMatchObject({
    edits: [],
    dropped: ['ITEM.ts collision', 'item.ts/x.ts collision'],
  })
})

test('fenced code below a path is not a file when nothing changed or only commands are shown', async () => {
  const shown = 'Call it as in\n\n`src/new.ts`\n\n```ts\nf()\n```\n'
  expect(await read(`${shown}I made no changes.`)).toMatchObject({ edits: [], failures: [] })
  expect(await read(shown)).toMatchObject({ edits: ['create src/new.ts'] })
  expect(await read('Run it:\n\nitem.ts\n\n```sh\nnode item.ts\n```\n')).toMatchObject({ edits: [] })
})

test('marks with another nonce count only when no file has such marks and nothing else is on their lines', async () => {
  const text = whole(OK).replaceAll(`${N} `, '')
  expect(await read(text)).toMatchObject({ edits: ['update a.txt'], warnings: ['read_as: other_marks'] })
  expect(await read(text, { ...FILES, 'b.md': 'so: [[FILE delete x]]' })).toMatchObject({ edits: [] })
  expect(await read(text.replace('[[SUMMARY]]', 'and more\n[[SUMMARY]]'))).toMatchObject({
    edits: [],
    failures: ['a.txt damaged'],
  })
})

test('warnings are unique, with printable paths', async () => {
  const { warnings } = await read(whole(m('FILE create x\u202e.txt'), m('BODY'), 'x'))
  expect(warnings).toEqual(['end_missing: x\\u{202e}.txt'])
})

describe('a hostile answer is parsed in bounded time', () => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i))
  const flood = lines(20_000, (i) => (i % 2 ? 'a' : 'b')).join('\n')
  const js = lines(9_000, (i) => `f(${i});`).join('\n')
  test.for<[name: string, file: string, part: string]>([
    ['blanks in a comment', 'a\nb\nc\nd\n', hunk('a\nb\nc\nd', `// ...${' '.repeat(20_000)}x`)],
    ['a comment of one word', 'a\nb\nc\nd\n', hunk('a\nb\nc\nd', `// ${'rest '.repeat(20_000)}`)],
    ['blanks behind a conflict', 'a\n', body(`<<<<<${' '.repeat(60_000)}x`)],
    ['stars', 'a\n', body(`${'*'.repeat(60_000)}x`)],
    ['brackets', 'a\n', body(`${`[[[[${' '.repeat(900)}x${N}\n`.repeat(300)}`)],
    ['tildes', 'a\n', body(`${`${'~'.repeat(900)}\`\n`.repeat(300)}`)],
    ['FIND that almost fits everywhere', flood, hunk(`${'b\na\n'.repeat(4_999)}b\nb`, 'c')],
    ['FIND of comments', '// a\n'.repeat(20_000), hunk('// a\nb', 'c')],
    [
      'many that are missing',
      lines(19_000, (i) => `v${i} = é(${i})`).join('\n'),
      lines(200, (i) => hunk(`w${i}`, 'c')).join('\n'),
    ],
    [
      'long lists that differ',
      lines(2_000, (i) => `l${i}`).join('\n'),
      hunk(lines(2_000, (i) => `l${i}`).join('\n'), lines(2_000, (i) => `m${i}`).join('\n')),
    ],
    ['empty lines', 'a\nb\n', hunk('a', '\n'.repeat(200_000))],
    ['brackets that never close', `((\n${js}`, body(`((\n${js}\n(((`)],
    ['brackets within brackets', 'x = 1\n', body(`x = ${'('.repeat(190_000)}`)],
  ])('%s', async ([, file, part]) => {
    const readIt = () => read(whole(update('a.js', part)), { 'a.js': file })
    expect(await measureAsyncCost(readIt)).toBeLessThan(3_000)
  })

  test('and the expensive part is reported', async () => {
    const slow = await read(whole(update('a.txt', hunk(`${'b\na\n'.repeat(4_999)}b\nb`, 'c'))), {
      'a.txt': flood,
    })
    expect(slow.failures).toEqual(['a.txt too_costly'])
    const large = await read(whole(update('a.txt', hunk('b', 'c'))), { 'a.txt': 'a\n'.repeat(20_001) })
    expect(large.failures).toEqual(['a.txt file_too_large'])
  })

  test('and the rest is rejected when its time is up', async () => {
    const change = { kind: 'hunks' as const, hunks: [{ find: 'a', with: 'b' }] }
    const blocks = [{ path: 'a.txt', action: 'update' as const, why: '', change }]
    const checkSyntax = async () => ({ verdict: 'fine' as const })
    const bounds = { limits: EDIT_LIMITS, time: createWorkTime(0), checkSyntax }
    expect(await changeFile('a.txt', 'a\n', blocks, bounds)).toMatchObject([{ reason: 'too_costly' }])
  })

  test('while other work runs between two hunks', async () => {
    let turns = 0
    let isDone = false
    const others = (async () => {
      for (; !isDone; turns++) await setImmediate()
    })()
    const file = lines(100, (i) => `l${i}`).join('\n')
    await read(whole(update('a.txt', ...lines(100, (i) => hunk(`l${i}`, `m${i}`)))), { 'a.txt': file })
    isDone = true
    await others
    expect(turns).toBeGreaterThanOrEqual(100)
  })
})
