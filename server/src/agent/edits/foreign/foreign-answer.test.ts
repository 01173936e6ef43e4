import { describe, expect, test } from 'vitest'
import type { Finish } from '../envelope.ts'
import { readEnvelope } from '../reader/envelope-reader.ts'

const read = (text: string, finish: Finish = 'stop') => readEnvelope(text, '7f3a9c12', finish)
const DIFF = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@ here\n keep\n-old\n+new\n'
const JSON_EDITS =
  '{"edits":[{"path":"a.ts","action":"update","find":"x","replace":"y"},{"path":"b.ts","content":"z\\n"}]}'

describe('an answer without marks', () => {
  test('may be a diff', () => {
    const { blocks, warnings, summary } = read(`Here it is:\n\n\`\`\`diff\n${DIFF}\`\`\`\nDone.`)
    expect(blocks).toEqual([
      {
        path: 'src/a.ts',
        action: 'update',
        why: '',
        change: { kind: 'hunks', hunks: [{ find: 'keep\nold', with: 'keep\nnew' }] },
      },
    ])
    expect({ warnings, summary }).toEqual({ warnings: ['read_as: diff'], summary: 'Here it is:\n\nDone.' })
  })

  test('may be a diff that creates and deletes files', () => {
    const { blocks } = read(
      'diff --git a/n.ts b/n.ts\nnew file mode 100644\n--- /dev/null\n+++ b/n.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n' +
        'diff --git a/o.ts b/o.ts\ndeleted file mode 100644\n--- a/o.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n',
    )
    expect(blocks).toMatchObject([
      { path: 'n.ts', action: 'create', change: { body: 'one\ntwo\n' } },
      { path: 'o.ts', action: 'delete' },
    ])
  })

  test.for([
    'src/a.ts\n```ts\nx\n```',
    '**src/a.ts**\n\n```ts\nx\n```',
    '### `src/a.ts`\n```ts\nx\n```',
    '1. `src/a.ts`:\n```ts\nx\n```',
    'File: src/a.ts\n```\nx\n```',
    '```ts src/a.ts\nx\n```',
    '```src/a.ts\nx\n```',
    '```ts:src/a.ts\nx\n```',
    '```ts title="src/a.ts"\nx\n```',
  ])('may be fenced code below its name: %j', (text) => {
    expect(read(text).blocks).toMatchObject([
      { path: 'src/a.ts', action: 'create', change: { kind: 'body', body: 'x\n', isGuess: true } },
    ])
  })

  test('may be JSON, and the last one counts', () => {
    const { blocks } = read(`Perhaps {"edits": [{"path": "z.ts", "content": ""}]} or rather:\n${JSON_EDITS}`)
    expect(blocks).toMatchObject([
      { path: 'a.ts', action: 'update', change: { hunks: [{ find: 'x', with: 'y' }] } },
      { path: 'b.ts', action: 'create', change: { body: 'z\n' } },
    ])
  })

  test.for<[name: string, text: string]>([
    ['a diff', DIFF],
    ['fenced code', 'src/a.ts\n```ts\nx\n'],
    ['JSON', JSON_EDITS],
    ['JSON that could be repaired', JSON_EDITS.slice(0, -10)],
  ])('that was cut off is never an edit: %s', ([, text]) => {
    expect(read(text, 'length').blocks).toEqual([])
    expect(read(text, 'stopped').blocks).toEqual([])
  })

  test.for([
    'Nothing to do.',
    'Run it:\n```sh\nnpm test\n```',
    'See https://example.com/a.ts\n```\nx\n```',
    '{"path": "a.ts"}',
    '{"edits": [{"path": "a.ts"}]}',
    '- one\n+ two',
    '',
  ])('may be only prose: %j', (text) => {
    expect(read(text)).toEqual({
      plan: '',
      summary: text,
      blocks: [],
      broken: [],
      warnings: ['no_edits_parsed'],
    })
  })
})
