// An answer can end in the middle of a file although the model reports that it finished.
import { describe, expect, test } from 'vitest'
import { mark } from '../prompt/markers.ts'
import { readEnvelope } from './reader/envelope-reader.ts'

const N = '7f3a9c12'
const m = (words: string) => mark(N, words)
const read = (text: string) => readEnvelope(text, N, 'stop', new Map([['a.ts', 'const a = 1\n']]))
const file = (about: string, ...lines: string[]) => [m(`FILE ${about}`), 'why: so', ...lines].join('\n')
const DIFF = ['--- a/a.ts', '+++ b/a.ts', '@@ -1,3 +1,3 @@', ' one', '-two', '+2']

describe('a file without its end is incomplete for every finish reason', () => {
  test.for<[name: string, text: string]>([
    ['a body', file('create a.ts', m('BODY'), 'half of')],
    ['a body with an unfinished END', file('create a.ts', m('BODY'), 'half of', `[[${N} EN`)],
    ['a body without its BODY mark', file('create a.ts', 'half of')],
    ['a body in a fence that is not closed', file('create a.ts', '```ts', 'half of')],
    ['a body in a closed fence at the end of the answer', file('create a.ts', '```', 'x', '```')],
    ['a body before the summary', `${file('create a.ts', m('BODY'), 'half of')}\n${m('SUMMARY')}\nDone.`],
    ['a body before the next file', `${file('create a.ts', m('BODY'), 'x')}\n${file('delete c.ts')}`],
    ['FIND', file('update a.ts', m('FIND'), 'a')],
    ['WITH', file('update a.ts', m('FIND'), 'a', m('WITH'), 'b')],
    ['the second of two hunks', file('update a.ts', m('FIND'), 'a', m('WITH'), 'b', m('FIND'), 'c')],
    ['nothing but its name', m('FILE update a.ts')],
    ['a name that is not closed', `[[${N} FILE delete a.ts`],
    ['a body in marks without a nonce', '[[PLAN]]\n1.\n[[FILE create a.ts]]\nwhy: x\n[[BODY]]\nhalf of'],
    ['a conflict in a file mark', file('update a.ts', '<<<<<<< SEARCH', 'a', '=======', 'b', m('END'))],
    ['a fence below its name', 'a.ts\n```ts\nhalf of\n'],
    ['a fence with a fence in it', 'a.ts\n````md\n# Use\n```sh\nnpm start\n```\n'],
    ['a fence with a fence of the same length in it', 'a.ts\n```md\n# Use\n```sh\nnpm start\n```\n'],
    ['SEARCH without REPLACE', 'a.ts\n<<<<<<< SEARCH\na\n=======\nb\n'],
    ['SEARCH in a fence without REPLACE', 'a.ts\n```ts\n<<<<<<< SEARCH\na\n=======\nb\n```\n'],
    ['a patch', '*** Begin Patch\n*** Update File: a.ts\n@@\n-a\n+b\n'],
    ['a diff in a fence', ['```diff', ...DIFF, ' three'].join('\n')],
    ['a diff with fewer lines than its header says', DIFF.join('\n')],
    ['a tag', '<file path="a.ts">\nhalf of\n'],
    ['a tag with parts', '<write_to_file>\n<path>a.ts</path>\n<content>\nhalf of\n'],
    ['JSON in a string', '{"edits":[{"path":"a.ts","content":"half of'],
    ['JSON in its list', '{"edits":[{"path":"a.ts","content":"x\\ny\\n"}'],
    ['JSON in a fence', '```json\n{"file_path":"a.ts","old_string":"a","new_string":"b\n```'],
  ])('%s', ([, text]) => {
    const { blocks, broken } = read(text)
    expect(blocks.filter(({ path }) => path === 'a.ts')).toEqual([])
    expect(broken.map(({ path }) => path)).toEqual(['a.ts'])
  })
})

test('two SEARCH blocks with one REPLACE are not read as one', () => {
  const text = 'a.ts\n<<<<<<< SEARCH\na\n=======\nb\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n'
  expect(read(text)).toMatchObject({ blocks: [], broken: [{ path: 'a.ts' }] })
})

test('a fence in the context of a diff does not end the diff', () => {
  const text = '```diff\n--- a/a.md\n+++ b/a.md\n@@ -1,3 +1,3 @@\n ```ts\n-old()\n+next()\n ```\n```\n'
  expect(read(text).blocks).toMatchObject([
    { path: 'a.md', change: { hunks: [{ find: '```ts\nold()\n```', with: '```ts\nnext()\n```' }] } },
  ])
})

describe('a file is complete', () => {
  test.for<[name: string, text: string]>([
    ['with its END', file('create a.ts', m('BODY'), 'x', m('END'))],
    [
      'in a closed fence before the next mark',
      `${file('create a.ts', '```ts', 'x', '```')}\n${m('SUMMARY')}`,
    ],
    ['in a fence around another fence', 'a.ts\n````md\n```sh\nx\n```\n````\n'],
    ['in a fence around another fence of the same length', 'a.ts\n```md\n```sh\nx\n```\n```\n'],
    ['as a diff that is as long as its header says', [...DIFF, ' three'].join('\n')],
    ['when its delete is the last line', `${m('FILE delete a.ts')}`],
  ])('%s', ([, text]) => {
    expect(read(text)).toMatchObject({ blocks: [{ path: 'a.ts' }], broken: [] })
  })
})
