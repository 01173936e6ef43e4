import { describe, expect, test } from 'vitest'
import { applyEnvelope } from './apply.ts'
import { createSyntaxGate } from './syntax-gate.ts'

const check = createSyntaxGate(2_000, 60_000)

/** For each language, a text that parses and one that does not. */
const LANGUAGES: [path: string, good: string, bad: string][] = [
  ['a.js', 'const a = () => <b>{1}</b>\n', 'const a = (\n'],
  ['a.mjs', 'export default 1\n', 'export defaul 1 {\n'],
  ['a.jsx', 'const a = <b c="d" />\n', 'const a = <b c="d"\n'],
  ['a.ts', 'const a = { b: 1 } satisfies Record<string, number>\nf(a)\n', 'function a( {\n'],
  ['a.tsx', 'const a = <T,>(b: T) => <i>{String(b)}</i>\n', 'const a: = 1\n'],
  ['a.py', 'def f(a):\n    return f"{a!r}"\n', 'def f(a:\n    return a\n'],
  ['a.go', 'package a\n\nfunc f() int { return 1 }\n', 'package a\n\nfunc f() int { return 1\n'],
  ['A.java', 'class A { int f() { return 1; } }\n', 'class A { int f() { return 1; }\n'],
  ['a.php', '<?php\nfunction f(): int { return 1; }\n', '<?php\nfunction f( { return 1; }\n'],
  ['a.rb', 'def f(a)\n  a\nend\n', 'def f(a\n  a\n'],
  ['a.rs', 'fn f() -> i32 { 1 }\n', 'fn f() -> { 1 \n'],
  ['a.json', '{"a": [1, 2]}\n', '{"a": [1, 2}\n'],
  ['a.css', 'a { color: red }\n', 'a { color: red\n'],
  ['a.html', '<p>a</p>\n', '<p a=">a\n'],
]

describe('a file in a supported language', () => {
  test.for(LANGUAGES)('parses or does not: %s', async ([path, good, bad]) => {
    expect(await check(path, '', good)).toEqual({ verdict: 'fine' })
    expect(await check(path, good, bad)).toMatchObject({ verdict: 'worse' })
    expect(await check(path, bad, bad)).toEqual({ verdict: 'fine' })
  })
})

test('a file in an unsupported language passes', async () => {
  expect(await check('tsconfig.base.json', '', '{"a": 1,}')).toEqual({ verdict: 'fine' })
  expect(await check('a.txt', '', '((((')).toEqual({ verdict: 'fine' })
})

test('a file that takes too long is not checked', async () => {
  const long = 'const a = [1, 2, 3].map((b) => b + 1)\n'.repeat(20_000)
  expect(await createSyntaxGate(1, 1_000)('a.ts', '', long)).toEqual({ verdict: 'unchecked' })
  expect(await createSyntaxGate(100, 0)('a.ts', '', 'const a = 1\n')).toEqual({ verdict: 'unchecked' })
  expect(await check('a.ts', '', 'const a = 1\n')).toEqual({ verdict: 'fine' })
})

test('an edit that breaks its file is rejected with the line of the first problem', async () => {
  const { edits, failures } = await applyEnvelope(new Map([['a.ts', 'const a = 1\nconst b = 2\n']]), {
    plan: '',
    summary: '',
    broken: [],
    warnings: [],
    blocks: [
      {
        path: 'a.ts',
        action: 'update',
        why: '',
        change: { kind: 'hunks', hunks: [{ find: 'const b = 2', with: 'const b = (2' }] },
      },
    ],
  })
  expect(edits).toEqual([])
  expect(failures).toMatchObject([
    { path: 'a.ts', reason: 'syntax', message: expect.stringContaining('line 2') },
  ])
})

test('syntax that is newer than the grammar and known to Node.js passes', async () => {
  const text = 'class A {\n  accessor size = 1\n}\ninterface Box<in out T> {\n  t: T\n}\n'
  expect(await check('a.ts', '', text)).toEqual({ verdict: 'fine' })
  expect(await check('a.ts', '', `${text}}`)).toMatchObject({ verdict: 'worse' })
})
