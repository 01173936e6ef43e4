import { grammarNamed } from '@cowrie/analysis/syntax/grammars.ts'
import { parseTree } from '@cowrie/analysis/syntax/tree.ts'
import { expect, test, vi } from 'vitest'
import type { Chunk } from './chunk.ts'
import { chunkFile } from './chunk-file.ts'
import { run } from './chunk-task.ts'
import { codeChunks } from './code-chunks.ts'
import { splitLines } from './lines.ts'

const brief = (chunks: readonly Chunk[]) =>
  chunks.map(({ kind, scope, symbol, startLine, endLine }) => [kind, scope, symbol, startLine, endLine])
const filler = (words: string, lines: number) =>
  Array.from({ length: lines }, (_, i) => `  ${words}${i}()`).join('\n')

test('code is split into definitions with their comments', async () => {
  const text = `// What it is about.
import { a } from './a.ts'

/** Adds what was sent to what is there, and says how much that is. */
export function add(one: number, other: number): number {
${filler('check', 10)}
  return one + other
}

export class Wallet {
  /** Takes money out, if there is enough of it. */
  take(amount: number): void {
${filler('takeSomethingOut', 12)}
  }

  give(amount: number): void {
${filler('giveSomethingBack', 16)}
  }
}

const one = 1
const two = 2
`
  const chunks = await chunkFile('src/a.ts', text)
  expect(brief(chunks)).toEqual([
    ['file', '', '', 1, 2],
    ['function', '', 'add', 4, 17],
    ['class', '', 'Wallet', 19, 54],
    ['function', 'Wallet', 'take', 20, 34],
    ['function', 'Wallet', 'give', 36, 53],
    ['code', '', 'one, two', 56, 57],
  ])
  expect(chunks[0]?.content).toBe("// What it is about.\nimport { a } from './a.ts'\n\nadd, Wallet, one, two")
  expect(chunks[1]?.docs).toBe('/** Adds what was sent to what is there, and says how much that is. */')
  expect(chunks[2]?.content).toBe(
    'export class Wallet {\n  take(amount: number): void {\n  give(amount: number): void {',
  )
})

test('a long function is split between statements, and each piece repeats the signature', async () => {
  const chunks = await chunkFile(
    'a.py',
    `def long(text):\n${filler('statement_of_some_length', 120).replace(/^/gm, '  ')}\n`,
  )
  const pieces = chunks.filter(({ symbol }) => symbol === 'long')
  expect(pieces.length).toBeGreaterThan(2)
  for (const piece of pieces) expect(piece.content.startsWith('def long(text):')).toBe(true)
  expect(pieces.map(({ startLine }) => startLine).slice(1)).toEqual(
    pieces.map(({ endLine }) => endLine + 1).slice(0, -1),
  )
  expect(pieces.at(-1)?.endLine).toBe(121)
})

test.for<[path: string, text: string, symbol: string]>([
  ['a.java', 'class Cart {\n int total(int price) {\n BODY } }', 'total'],
  ['a.go', 'package a\nfunc (c *Cart) Total(price int) int {\n BODY }', 'Total'],
  ['a.php', '<?php\nclass Cart {\n function total($price) {\n BODY } }', 'total'],
  ['a.rb', 'class Cart\n  def total(price)\n BODY\n  end\nend', 'total'],
  ['a.rs', 'impl Cart {\n fn total(&self) -> i32 {\n BODY } }', 'total'],
  ['a.c', 'int total(int price) {\n BODY }', 'total'],
  ['a.cpp', 'namespace shop { int Cart::total(int price) {\n BODY } }', 'Cart::total'],
  ['a.cs', 'namespace Shop { class Cart {\n int Total(int price) {\n BODY } } }', 'Total'],
  ['a.kt', 'class Cart {\n fun total(price: Int): Int {\n BODY } }', 'total'],
  ['a.scala', 'class Cart {\n def total(price: Int): Int = {\n BODY } }', 'total'],
])('%s is parsed by its grammar', async ([path, text, symbol]) => {
  const body = Array.from({ length: 60 }, (_, i) => `    check(${i});`).join('\n')
  const chunks = await chunkFile(path, text.replace('BODY', body))
  expect(chunks.some((chunk) => chunk.kind === 'function' && chunk.symbol === symbol)).toBe(true)
})

test('a C# namespace without a body is the scope of the rest of the file', async () => {
  const chunks = await chunkFile(
    'a.cs',
    `using System;\n\nnamespace Shop.Cart;\n\npublic class Cart\n{\n${filler('Add', 90)}\n}\n`,
  )
  expect(chunks.find(({ symbol }) => symbol === 'Cart')?.scope).toBe('Shop.Cart')
})

test('Kotlin imports belong to the file chunk, and a property has its name', async () => {
  const property = (name: string) => `val ${name} = listOf(\n${filler('item', 60)},\n)\n`
  const chunks = await chunkFile('a.kt', `package a\n\nimport b.C\nimport b.D\n\n${property('prices')}`)
  expect(brief(chunks)[0]).toEqual(['file', '', '', 1, 4])
  expect(chunks[1]?.symbol).toBe('prices')
})

test('Markdown is split by headings, SQL by statements, and other text into overlapping windows', async () => {
  const prose = '# One\n\nText.\n\n```\n# no heading\n```\n\n## Two\n\nMore.\n'
  expect(brief(await chunkFile('a.md', prose))).toEqual([
    ['section', '', 'One', 1, 7],
    ['section', 'One', 'Two', 9, 11],
  ])
  const columns = Array.from({ length: 12 }, (_, i) => `  column_${i} text not null`).join(',\n')
  const sql = `create table ledger (\n${columns}\n);\ncreate function f() returns void as $$\nbegin; end;\n${'-- words\n'.repeat(20)}$$;\n`
  expect((await chunkFile('a.sql', sql)).map(({ kind, symbol }) => [kind, symbol])).toEqual([
    ['statement', 'ledger'],
    ['statement', 'f'],
  ])
  const yaml = Array.from({ length: 130 }, (_, i) => `k${i}: v`).join('\n')
  expect(brief(await chunkFile('a.yaml', yaml)).map(([, , , first, last]) => [first, last])).toEqual([
    [1, 60],
    [51, 110],
    [101, 130],
  ])
})

test('line numbers do not depend on line endings, and chunks stay within the limit', async () => {
  const text = 'function a() {\r\n  return 1\r\n}\r\n\r\nfunction b() {\r\n  return 2\r\n}\r\n'.repeat(20)
  const chunks = await chunkFile('a.js', text)
  expect(chunks.at(-1)?.endLine).toBe(140)
  const long = await chunkFile('a.txt', `${'word '.repeat(4_000)}\n`)
  expect(Math.max(...long.map(({ content }) => content.length))).toBeLessThanOrEqual(2_800)
})

test('a slow clock changes no chunk', async () => {
  const text = `export function add(one) {\n${filler('check', 40)}\n}\n`.repeat(10)
  const chunks = await chunkFile('src/a.js', text)
  let ms = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    ms += 10_000
    return ms
  })
  try {
    expect(await chunkFile('src/a.js', text)).toEqual(chunks)
  } finally {
    clock.mockRestore()
  }
  expect(chunks[1]).toMatchObject({ kind: 'function', symbol: 'add' })
})

test('statements deep inside a long function are found, however little of the tree is read', async () => {
  const inner = `    switch (kind) {\n${Array.from({ length: 30 }, (_, i) => `      case ${i}: {\n        handleKindNumber${i}(value, options)\n        break\n      }`).join('\n')}\n    }`
  const text = `export const parser = {\n  parse: function (value) {\n    for (const kind of value) {\n${inner}\n    }\n  },\n}\n`
  const grammar = await grammarNamed('javascript')
  const tree = grammar === 'unavailable' ? null : parseTree(grammar, text, {})
  const whole = tree ? codeChunks(tree, splitLines(text)) : []
  expect(whole.length).toBeGreaterThan(3)
  expect(await chunkFile('src/a.js', text)).toEqual(whole)
})

test('the terms of a chunk contain no secrets', async () => {
  const key = `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`
  const list = Array.from({ length: 201 }, (_, i) => `${key}${i}`).join('\n')
  // One file per task, because a slow task leaves later files to the next one.
  const only = async (path: string, content: string) =>
    (await run({ files: [{ path, content }], bySyntax: true })).files
  const files = [
    ...(await only('pay.ts', `const key = '${key}'\npay(key)\n`)),
    ...(await only('keys.txt', list)),
  ]
  const [chunks, secret] = files
  expect(secret).toBe('secret')
  expect(chunks).toEqual([
    expect.objectContaining({ tokens: expect.any(Number), content: expect.stringContaining('pay(key)') }),
  ])
  expect(JSON.stringify(files)).not.toContain(key)
})
