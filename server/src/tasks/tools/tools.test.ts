// The tools on a workspace in memory.
import { planted } from '@cowrie/testkit/analysis/planted-secrets.ts'
import {
  createMemoryWorkspace,
  createToolStage,
  exitedRun,
  type MemoryFiles,
} from '@cowrie/testkit/tasks/memory-workspace.ts'
import { describe, expect, test } from 'vitest'
import { readToolCall, TOOLS } from './tools.ts'

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
const stage = (files: MemoryFiles = FILES, more: Parameters<typeof createToolStage>[1] = {}) =>
  createToolStage(createMemoryWorkspace(files), more)

describe('a call', () => {
  test('has a schema for each tool, and three of them only read', () => {
    expect(TOOLS.map(({ name }) => name)).toEqual([
      'list',
      'read',
      'search',
      'edit',
      'create',
      'delete',
      'run',
    ])
    expect(TOOLS.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name)).toEqual([
      'list',
      'read',
      'search',
    ])
    for (const { schema } of TOOLS)
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
    expect(JSON.stringify(TOOLS).length).toBeLessThan(6_000)
  })

  test.for<[name: string, text: string, problem: string]>([
    ['fly', '{}', 'There is no tool "fly". The tools are list, read'],
    ['read', '{"path": ', 'not valid JSON'],
    ['read', '[]', 'must be a JSON object'],
    ['read', '{}', '"path"'],
    ['read', '{"path": "a", "lines": 3}', '"lines"'],
    ['read', '{"path": "a", "from": 0}', '"from"'],
    ['search', '{"query": "a", "kind": "grep"}', '"kind"'],
    ['edit', '{"path": "a", "edits": []}', '"edits"'],
    ['run', '{"command": "x", "timeoutSeconds": 900}', '"timeoutSeconds"'],
  ])('of %s with %s is refused with the reason', ([name, text, problem]) => {
    expect(readToolCall(name, text)).toEqual({ problem: expect.stringContaining(problem) })
  })

  test.for<[name: string, text: string, input: object]>([
    ['list', '', {}],
    ['list', '{"path": "./src/", "depth": "3"}', { path: 'src', depth: 3 }],
    ['list', '{"path": "/"}', { path: '' }],
    ['read', '{"path": "./src/a.ts", "from": null}', { path: 'src/a.ts' }],
  ])('of %s is read as models write it: %s', ([name, text, input]) => {
    expect(readToolCall(name, text)).toEqual({ call: { name, input } })
  })
})

test.for<[tool: string, written: object, input: object]>([
  ['read', { file_path: './a.ts', offset: 5, limit: 3 }, { path: 'a.ts', from: 5, to: 7 }],
  ['read', { path: 'a.ts', file: 'b.ts', start_line: '2', end_line: '4' }, { path: 'a.ts', from: 2, to: 4 }],
  ['search', { pattern: 'a+' }, { query: 'a+', kind: 'regex' }],
  ['search', { query: 'add', include: '*.ts' }, { query: 'add', kind: 'text', glob: '*.ts' }],
  [
    'edit',
    { file_path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: true },
    { path: 'a.ts', edits: [{ find: 'a', replace: 'b', all: true }] },
  ],
  [
    'edit',
    { path: 'a', edits: [{ oldText: 'a', newText: '' }] },
    { path: 'a', edits: [{ find: 'a', replace: '' }] },
  ],
  ['create', { filename: 'a.ts', file_text: 'x' }, { path: 'a.ts', content: 'x' }],
  ['list', { directory: 'src/' }, { path: 'src' }],
  ['run', { cmd: 'npm test', description: 'runs the tests' }, { command: 'npm test' }],
])('%s accepts the arguments of other coding tools: %j', ([name, written, input]) => {
  expect(readToolCall(name, JSON.stringify(written))).toEqual({ call: { name, input } })
})

describe('list', () => {
  test('shows folders with counts, sizes, and the files that cannot be read', async () => {
    const skipped = [{ path: 'vendor/lib', reason: 'submodule' as const }]
    const { call } = createToolStage(createMemoryWorkspace(FILES, { skipped }))
    const { output } = await call('list', { depth: 1 })
    expect(output.split('\n')).toEqual([
      'The workspace has 7 files.',
      '.env  18 bytes',
      'README.md  22 bytes',
      'logo.png  7 bytes',
      'src/  4 files',
      'Not in the workspace: vendor/lib is a submodule, which is not part of the workspace.',
      '1 file with secrets cannot be read.',
    ])
    expect((await call('list', { path: 'src', pattern: '*.{py,rb}' })).output).toContain('src/pay.py')
    expect((await call('list', { path: 'source' })).output).toBe('There is no folder source.')
    expect((await call('list', { path: 'vendor/lib' })).output).toContain('submodule')
  })

  test('stays short for a large workspace, and says what it leaves out', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [`a/f${String(i).padStart(4, '0')}.txt`, 'x']),
    )
    const { call } = stage(many)
    const deep = await call('list', { depth: 2 })
    expect(deep.output.split('\n')).toHaveLength(402)
    expect(deep).toMatchObject({
      isTruncated: true,
      output: expect.stringContaining('500 more entries left out'),
    })
    expect((await call('list', {})).output).toBe('The workspace has 900 files.\na/  900 files')
  })
})

describe('read', () => {
  test('numbers the lines, takes a range, and says how to continue', async () => {
    const { call } = stage({ 'a.txt': Array.from({ length: 2_500 }, (_, i) => `line ${i + 1}\r\n`).join('') })
    expect((await call('read', { path: 'a.txt', from: 9, to: 10 })).output).toBe(
      'a.txt: lines 9-10 of 2500.\n 9| line 9\n10| line 10',
    )
    const all = await call('read', { path: 'a.txt' })
    expect(all.isTruncated).toBe(true)
    expect(all.output.split('\n')[0]).toBe('a.txt: lines 1-2000 of 2500. Read from 2001 to continue.')
    const wide = await stage({ 'b.txt': `${'x'.repeat(1_999)}\n`.repeat(100) }).call('read', {
      path: 'b.txt',
    })
    expect(Buffer.byteLength(wide.output)).toBeLessThan(61_000)
    expect(wide.isTruncated).toBe(true)
  })

  test.for<[path: string, problem: string]>([
    ['logo.png', 'logo.png is not text (7 bytes).'],
    ['src', 'src is a folder. Use list to see its files.'],
    ['src/totals.ts', 'There is no file src/totals.ts. Did you mean src/total.ts?'],
    ['app/Total.ts', 'There is no file app/Total.ts. Did you mean src/total.ts?'],
    ['.env', '.env holds secrets and is withheld.'],
    ['large.txt', 'too large to read'],
    ['/etc/passwd', 'not a path in the workspace'],
  ])('of %s says: %s', async ([path, problem]) => {
    const { call } = stage({ ...FILES, 'large.txt': 'x'.repeat((2 << 20) + 1) })
    expect(await call('read', { path })).toMatchObject({
      ok: false,
      output: expect.stringContaining(problem),
    })
  })

  test('hides secrets even when the range does not show that they are one', async () => {
    const pem = planted('private-key').text
    const { call, mask } = stage({ 'key.ts': `const key = \`${pem}\`\n` })
    const { output } = await call('read', { path: 'key.ts', from: 3, to: 4 })
    for (const line of pem.split('\n').slice(1, -1)) expect(output).not.toContain(line)
    expect(mask.withheld).toEqual([{ path: 'key.ts', line: 1, reason: 'private key' }])
  })
})

describe('edit', () => {
  const edit = async (text: string, ...edits: object[]) => {
    const { call, text: read } = stage({ 'a.ts': text })
    const result = await call('edit', { path: 'a.ts', edits })
    return result.ok ? await read('a.ts') : result.output
  }

  test.for<[name: string, text: string, find: string, replace: string, expected: string]>([
    ['part of a line', 'const a = f(1)\n', 'f(1)', 'g(2)', 'const a = g(2)\n'],
    ['parts of two lines', 'a(1)\nb(2)\n', '1)\nb(', '3)\nc(', 'a(3)\nc(2)\n'],
    ['a line with its end', 'a()\nb()\nc()\n', 'b()\n', '', 'a()\nc()\n'],
    [
      'lines with another indent',
      'f(() => {\n    a()\n    b()\n})\n',
      'a()\nb()',
      'c()\nb()',
      'f(() => {\n    c()\n    b()\n})\n',
    ],
    ['windows line ends', 'a()\r\nb()\r\n', 'a()\nb()', 'a()\nc()', 'a()\r\nc()\r\n'],
    ['a byte order mark', '\ufeffa()\nb()\n', 'a()', 'c()', '\ufeffc()\nb()\n'],
    ['special patterns literally', 'a()\n', 'a()', "b('$&')", "b('$&')\n"],
  ])('replaces %s', async ([, text, find, replace, expected]) => {
    expect(await edit(text, { find, replace })).toBe(expected)
  })

  test('replaces every occurrence only on request', async () => {
    const text = 'a(1)\nb(a(1))\n'
    expect(await edit(text, { find: 'a(', replace: 'c(' })).toContain(
      'It occurs 2 times. Set all to replace every one.',
    )
    expect(await edit(text, { find: 'a(', replace: 'c(', all: true })).toBe('c(1)\nb(c(1))\n')
  })

  test('applies all edits in order or none, and reports each failure with the closest lines', async () => {
    expect(await edit('a()\n', { find: 'a()', replace: 'b()' }, { find: 'b()', replace: 'c()' })).toBe(
      'c()\n',
    )
    const { call, text } = stage()
    const edits = [
      { find: 'items: number[] = []', replace: 'items: number[] = [1]' },
      { find: '    return totals(this.items, rate)\n  }', replace: 'x' },
    ]
    const { ok, output, changes } = await call('edit', { path: 'src/app.ts', edits })
    expect({ ok, changes }).toEqual({ ok: false, changes: [] })
    expect(output).toContain('Edit 2: find does not occur in the file.')
    expect(output).toContain('|     return total(this.items, rate)')
    expect(await text('src/app.ts')).toBe(FILES['src/app.ts'])
  })

  test.for<[name: string, edits: object[], problem: string]>([
    [
      'breaks the syntax',
      [{ find: 'rate: number): number {', replace: 'rate: number): number {{' }],
      'would not parse',
    ],
    [
      'leaves code out',
      [{ find: FILES['src/app.ts'], replace: '// ... rest of the file\n' }],
      'stands in for code',
    ],
    ['changes nothing', [{ find: 'items', replace: 'items', all: true }], 'Nothing was changed'],
  ])('is refused when it %s', async ([, edits, problem]) => {
    const { call } = stage()
    expect(await call('edit', { path: 'src/app.ts', edits })).toMatchObject({
      ok: false,
      output: expect.stringContaining(problem),
    })
  })

  test('keeps a secret that the model never saw, and does not let it move', async () => {
    const { call, text } = stage()
    const { output } = await call('read', { path: 'src/config.ts' })
    const [placeholder = 'none'] = /WITHHELD_SECRET_\w+_/.exec(output) ?? []
    const rename = { find: `const key = '${placeholder}'`, replace: `const apiKey = '${placeholder}'` }
    expect((await call('edit', { path: 'src/config.ts', edits: [rename] })).ok).toBe(true)
    expect(await text('src/config.ts')).toBe(`export const name = 'shop'\nexport const apiKey = '${KEY}'\n`)
    const moved = await call('create', {
      path: 'src/keys.ts',
      content: `export const key = '${placeholder}'\n`,
    })
    expect(moved).toMatchObject({
      ok: false,
      output: expect.stringContaining('cannot be moved'),
      changes: [],
    })
    const copied = { find: "name = 'shop'", replace: `name = '${placeholder.replace(/\w_$/, '0_')}'` }
    expect((await call('edit', { path: 'src/config.ts', edits: [copied] })).ok).toBe(false)
  })

  test('shows no secret in the closest lines of a failure', async () => {
    const { call } = stage()
    const edits = [{ find: "export const nama = 'shop'\nexport const key = 'abc'", replace: 'x' }]
    const { output } = await call('edit', { path: 'src/config.ts', edits })
    expect(output).toContain('closest lines')
    expect(output).not.toContain(KEY)
  })
})

describe('create and delete', () => {
  test('write and remove files, and never overwrite by accident', async () => {
    const { call, text, workspace } = stage()
    expect((await call('create', { path: 'src/new.ts', content: 'export const a = 1\n' })).output).toBe(
      'Created src/new.ts with 1 line.',
    )
    const again = { path: 'src/new.ts', content: 'export const a = 2\n' }
    expect((await call('create', again)).output).toContain('exists')
    expect((await call('create', { ...again, overwrite: true })).ok).toBe(true)
    expect(await text('src/new.ts')).toBe('export const a = 2\n')
    expect((await call('delete', { path: 'src/new.ts' })).changes).toEqual([
      { path: 'src/new.ts', content: null },
    ])
    expect(workspace.files.has('src/new.ts')).toBe(false)
    expect((await call('delete', { path: 'logo.png' })).ok).toBe(true)
  })

  test.for<[path: string, problem: string]>([
    ['SRC/app.ts', 'collides'],
    ['src', 'collides'],
    ['src/app.ts/x.ts', 'collides'],
    ['src/bad.ts', 'would not parse'],
  ])('refuse to create %s: %s', async ([path, problem]) => {
    const { call } = stage()
    const { ok, output } = await call('create', { path, content: 'export const a = {\n' })
    expect({ ok, output }).toEqual({ ok: false, output: expect.stringContaining(problem) })
  })
})

describe('run', () => {
  test('reports the outcome and shortens the output; the whole is available', async () => {
    const output = Array.from({ length: 3_000 }, (_, i) => `ok ${i + 1} - test ${i + 1}`).join('\n')
    const { call, commands } = stage(FILES, { run: exitedRun(`\x1b[32m${output}\x1b[0m\n`, 1) })
    const result = await call('run', { command: 'npm test' })
    expect(commands).toEqual(['npm test'])
    expect(result.ok).toBe(false)
    expect(result.output).toMatch(/^The command ended with exit code 1 after 1\.2 s\./)
    expect(Buffer.byteLength(result.output)).toBeLessThan(8_000)
    expect(
      result.output
        .split('\n')
        .slice(1)
        .every((line) => line.startsWith('| ')),
    ).toBe(true)
    expect(result.fullOutput).toBe(`${output}\n`)
  })

  test.for([
    [{ outcome: 'timed_out', exitCode: null }, 'it did not end within 5 s'],
    [{ outcome: 'limit', limit: 'memory' }, 'it used too much memory'],
    [
      { outcome: 'failed', reason: 'no sandbox works here' },
      'did not run: no sandbox works here. Nothing was tested.',
    ],
    [{ outcome: 'exited', exitCode: 0 }, 'It printed nothing.'],
  ] as const)('%j is described', async ([outcome, text]) => {
    const run = { ...exitedRun(''), ...outcome }
    const { output } = await stage(FILES, { run }).call('run', { command: 'x', timeoutSeconds: 5 })
    expect(output).toContain(text)
  })

  test('hides the values of files that hold secrets, though no tool has read them', async () => {
    const run = exitedRun(
      `connecting with hunter2x\nkey ${KEY}\n${Buffer.from('PASSWORD=hunter2x').toString('base64')}\n`,
    )
    const { call, mask } = stage(FILES, { run })
    const { output } = await call('run', { command: 'cat .env; base64 .env' })
    expect(output).not.toMatch(/hunter2x|sk_live|aHVudGVyMn/)
    expect(mask.withheld.map(({ path }) => path)).toContain('output of run')
  })
})
