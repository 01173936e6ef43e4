import { describe, expect, test } from 'vitest'
import { findings, findingsIn } from './language.ts'

test('the repository uses the vocabulary of docs/glossary.md', () => {
  const found = findings().map(({ path, line, rule, text }) => `${path}:${line} ${rule}: ${text}`)
  expect(found, 'Say it in plain words; `npm run language` lists all findings.').toEqual([])
})

describe('a finding is', () => {
  test.for([
    ['a.ts', '// What nobody asked for is given back.', ['word', 'subject']],
    ['a.ts', '/** The sweep goes on. */', ['word']],
    ['a.ts', "const text = 'Whoever pays is told by mail'", ['word', 'word', 'subject']],
    ['a.ts', 'export type Wanted = string', ['type name']],
    ['a.ts', 'export type Moved = { amount: bigint }', ['type name']],
    ['a.md', 'Who has no account is invited.', ['subject']],
    ['openapi.json', '  "summary": "Go on in another organisation."', ['word']],
    ['web/words/fr/main.json', '  "You are told by mail.": "Vous recevez un e-mail."', ['word']],
  ] as const)('%s: %s', ([path, text, rules]) => {
    expect(
      findingsIn(path, text)
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual([...rules].sort())
  })
})

test.for([
  ['a.ts', '// The sweeper releases expired holds.'],
  ['a.ts', "const question = 'What changed?'"],
  ['a.ts', 'export type Finding = { rule: string }'],
  ['a.ts', 'const sql = tx.rows`select told from deeds of its own`'],
  ['a.md', 'Names in code, such as `Wanted` and `told`, are not prose.'],
] as const)('not a finding: %s: %s', ([path, text]) => {
  expect(findingsIn(path, text)).toEqual([])
})
