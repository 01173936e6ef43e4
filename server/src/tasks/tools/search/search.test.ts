// The search in files on disk and in memory.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import {
  createMemoryWorkspace,
  createTestMask,
  createToolStage,
  type MemoryFiles,
} from '@cowrie/testkit/tasks/memory-workspace.ts'
import { afterAll, expect, test } from 'vitest'

const KEY = planted('paystack-live').secret
const FILES: MemoryFiles = {
  'README.md': '# Shop\n\nSells things.\n',
  'src/app.ts': [
    "import { total } from './total.ts'",
    '',
    'export class Cart {',
    '  items: number[] = []',
    '  sum(rate: number): number {',
    '    return total(this.items, rate)',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/total.ts':
    'export function total(items: number[], rate: number): number {\n  return items.length * rate\n}\n',
  'src/config.ts': `export const name = 'shop'\nexport const key = '${KEY}'\n`,
  'src/pay.py':
    'class Wallet:\n    def settle(self, amount):\n        """Charges the card of the customer."""\n        return amount\n',
  'logo.png': new Uint8Array([137, 80, 78, 71, 0, 1, 2]),
  '.env': 'PASSWORD=hunter2x\n',
}
const inMemory = (files: MemoryFiles, more: Parameters<typeof createToolStage>[1] = {}) =>
  createToolStage(createMemoryWorkspace(files), more)

const folder = scratchFolder()
afterAll(() => rmSync(folder, { recursive: true }))
const onDisk = new Map<string, { bytes: number }>()
const put = (path: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  onDisk.set(path, { bytes: Buffer.byteLength(text) })
}
for (const [path, text] of Object.entries(FILES)) put(path, text)
put('big.txt', 'total\n'.repeat(300_000))
symlinkSync('/etc', join(folder, 'etc'))
onDisk.set('etc/hostname', { bytes: 10 })
symlinkSync('/etc/passwd', join(folder, 'passwd'))
onDisk.set('passwd', { bytes: 10 })
const open = (over: MemoryFiles = {}) =>
  createToolStage(createMemoryWorkspace(over, { folder, onDisk }), { mask: createTestMask() })
const search = async (input: object, over: MemoryFiles = {}) =>
  (await open(over).call('search', input)).output

test('finds text by file and line, in files on disk and in changed files', async () => {
  const over = { 'src/app.ts': 'const grandTotal = 1\n' }
  expect((await search({ query: 'total', kind: 'text' }, over)).split('\n')).toEqual([
    '2 matches in 2 files:',
    'src/app.ts',
    '  1| const grandTotal = 1',
    'src/total.ts',
    '  1| export function total(items: number[], rate: number): number {',
    'Not searched: 1 binary file, 1 file over 1 MB, 1 file with secrets.',
  ])
  expect(await search({ query: 'Total', kind: 'text', path: 'src' }, over)).toContain('1 match in 1 file:')
  expect(await search({ query: 'total', kind: 'text', glob: '*.py' })).toContain('No match in 1 file.')
  expect(await search({ query: 'x', kind: 'text', path: 'nowhere' })).toContain('No file of the workspace')
})

test('finds regular expressions, with the flags of other languages', async () => {
  expect(await search({ query: 'total\\(\\w+: number', kind: 'regex' })).toContain(
    '  1| export function total(',
  )
  expect(await search({ query: '(?i)CLASS\\s+(cart|wallet)', kind: 'regex' })).toMatch(/2 matches in 2 files/)
  expect(await search({ query: '(', kind: 'regex' })).toContain('not a regular expression')
})

test('ends an expression that backtracks without end', async () => {
  const { call } = inMemory({ 'a.txt': `${'a'.repeat(60)}b\n` }, { searchMs: 200 })
  const { ok, output } = await call('search', { query: '^(a+)+$', kind: 'regex' })
  expect({ ok, output }).toEqual({ ok: false, output: expect.stringContaining('took too long') })
})

test.for<[kind: string, right: string, wrong: string]>([
  ['text', KEY.slice(0, 12), 'sk_live_zzzz'],
  ['regex', `key = '${KEY.slice(0, 12)}`, "key = 'sk_live_zzzz"],
  ['regex', `key = '(?!${KEY.slice(0, 9)})`, "key = '(?!sk_live_z)"],
  ['regex', `key = '.{8}[^${KEY[8]}]`, "key = '.{8}[^z]"],
  ['regex', `key = (?=.*${KEY.slice(-4)})`, 'key = (?=.*zzzz)'],
])('does not tell a right guess at a secret from a wrong one: %s', async ([kind, right, wrong]) => {
  expect(await search({ query: right, kind })).toBe(await search({ query: wrong, kind }))
})

test('masks the lines that it shows, and reports them as withheld', async () => {
  const { call, mask } = open()
  const { output } = await call('search', { query: 'export const', kind: 'text' })
  expect(output).toMatch(/ {2}2\| export const key = 'WITHHELD_SECRET_\w+_'/)
  expect(mask.withheld).toEqual([{ path: 'src/config.ts', line: 2, reason: 'Paystack live secret key' }])
  const [placeholder = ''] = /WITHHELD_SECRET_\w+_/.exec(output) ?? []
  expect((await call('search', { query: placeholder, kind: 'text' })).output).toContain('src/config.ts')
})

test('finds where a name is defined, with its class', async () => {
  expect(await search({ query: 'Cart.sum', kind: 'symbol' })).toBe(
    '1 definition of sum:\nsrc/app.ts:5-7  function in Cart\n  5| sum(rate: number): number {',
  )
  expect(await search({ query: 'settle', kind: 'symbol' })).toContain('src/pay.py:2-4  function in Wallet')
  expect(await search({ query: 'Sells', kind: 'symbol' })).toContain('No definition of Sells was found')
  expect(await search({ query: 'no such thing', kind: 'symbol' })).toContain('A symbol is one name')
  expect(await search({ query: 'pay-later', kind: 'symbol' })).toContain('No definition of pay-later')
})

test('finds by words when there is no index', async () => {
  const output = await search({ query: 'where is the customer charged', kind: 'meaning' })
  expect(output.split('\n').slice(0, 2)).toEqual([
    'There is no index, so these are the parts with most of the words of the query.',
    'src/pay.py:1-4',
  ])
})

test('never follows a link out of the folder', async () => {
  expect(await search({ query: 'root', kind: 'text' })).toContain('No match')
  expect(await search({ query: '[a-z]', kind: 'regex', path: 'etc' })).toContain('No match in 0 files.')
})

test('bounds its results, and says how many are left out', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`f${String(i).padStart(2, '0')}.txt`, 'hit\n'.repeat(30)]),
  )
  const { output, isTruncated } = await inMemory(many).call('search', {
    query: 'hit',
    kind: 'text',
    limit: 25,
  })
  expect(isTruncated).toBe(true)
  expect(output).toContain('1,200 matches in 40 files:')
  expect(output).toContain('  … 10 more matches in this file')
  expect(output).toContain('… 1,140 more matches in other files.')
  expect(output.match(/\| hit/g)).toHaveLength(25)
})
