// Whatever it is asked, the stand-in model answers, and its envelopes can be applied.
import { expect, test } from 'vitest'
import { rounds } from '../../../../test/soak.ts'
import type { Message } from '../question.ts'
import { applied, codingMessages, type Files } from './coding/envelope.fixture.ts'
import { replyTo } from './reply.ts'

const WORDS = [
  'add',
  'create',
  'rename',
  'replace',
  'delete',
  'fix',
  'remove',
  'import',
  'document',
  'a',
  'the',
  'to',
  'with',
  'and',
  'function',
  'functions',
  'class',
  'field',
  'test',
  'tests',
  'file',
  'endpoint',
  'GET /x',
  'script',
  'dependency',
  'null check',
  'error handling',
  'docstring',
  'comment',
  'src/a.ts',
  'b.py',
  'c.go',
  'D.java',
  'e.php',
  'f.js',
  'package.json',
  'README',
  '.gitignore',
  'x.constructor',
  '__proto__',
  'constructor',
  'toString',
  '`add`',
  '`x(y`',
  '"A"',
  "'B'",
  '`$&`',
  '```\ncode\n```',
  'with the content:\n',
  'returns',
  'n * 2',
  'that',
  'isPrime',
  'slugify',
  'sum',
  'User',
  '$',
  '\\',
  '(((',
  ')))',
  '[[',
  ']]',
  '<<',
  '>>',
  '\n',
  '\n- ',
  '1. ',
  '. ',
  ', ',
  '₦',
  '🐚',
  '\u0000',
  '\ud800',
  '⟦0⟧',
  '⟪7⟫',
  '«',
  '»',
]
const LINES = [
  'export function add(a, b) {',
  '  return a - b;',
  '}',
  'const f = (x) => x +',
  'def add(a, b):',
  '    return a',
  'class User:',
  'interface User {',
  'module.exports = { add',
  "import { add, nope } from './a.ts'",
  'from b import add, missing',
  'assert.equal(add(1, 2), 3)',
  'assert add(1, 2) == 3',
  'expect(add(1,2)).toBe(3)',
  '"""',
  "'''",
  '`',
  '/*',
  '// x',
  '#',
  '',
  '{"a": 1}',
  'func Add(a, b int) int {',
  "NameError: name 'ad' is not defined",
  'ReferenceError: $x is not defined',
  'TypeError: a.constructor is not a function',
  'if (a) return b',
  'return',
  'x = 1',
  '\t',
  '((',
  '))',
]
const PATHS = [
  'src/a.ts',
  'b.py',
  'c.go',
  'D.java',
  'e.php',
  'f.js',
  'package.json',
  'a.test.ts',
  'test_b.py',
  'README.md',
  'weird "name".js',
  '.x',
]

test('two thousand mixed-up tasks', () => {
  const next = chance(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const some = (list: readonly string[], most: number, between: string) =>
    Array.from({ length: Math.floor(next() * most) }, () => pick(list)).join(between)
  for (let round = 0; round < rounds(400, 2_000); round += 1) {
    const files: Record<string, string> = {}
    for (let i = 0; i < Math.floor(next() * 4); i += 1) files[pick(PATHS)] = some(LINES, 12, '\n')
    const tests = next() < 0.4 ? some(LINES, 8, '\n') : undefined
    const task = some(WORDS, 14, ' ')
    check(codingMessages(task, files, tests), files, { round, task })
  }
})

test('a thousand talks that were mixed up or broken off', () => {
  const next = chance(11)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
  const roles = ['system', 'user', 'assistant'] as const
  const asks = [
    'title',
    'JSON only',
    '{"a": [1, {"b": null}], "c"',
    'what is 2 +',
    '1/0',
    '5% of',
    'show me',
    'explain',
    'cowrie price',
    '```py\n',
    '[[abcd PLAN]]',
    '<<file abcd path="x">>\n',
    '\n<<end abcd>>',
    '<<task abcd>>\n',
  ]
  for (let round = 0; round < rounds(200, 1_000); round += 1) {
    const messages = Array.from(
      { length: Math.floor(next() * 4) },
      (): Message => ({
        role: pick(roles),
        content: Array.from({ length: Math.floor(next() * 10) }, () =>
          pick(next() < 0.5 ? asks : WORDS),
        ).join(' '),
      }),
    )
    expect(replyTo(messages)).not.toBe('')
  }
})

function check(messages: readonly Message[], files: Files, about: object): void {
  const text = replyTo(messages)
  try {
    applied(text, files)
  } catch (error) {
    throw new Error(`${JSON.stringify({ ...about, files })}\n${text}`, { cause: error })
  }
}

/** The same numbers every time. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
