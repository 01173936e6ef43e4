import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { KEY, openTestToolbox, SHOP } from '../../test/toolbox.ts'
import { makeWorkFolder, type WorkFolder } from '../../test/work-folder.ts'
import { render } from '../terminal/line.ts'

let folder: WorkFolder
afterEach(() => folder.remove())

const open = (more: Parameters<typeof openTestToolbox>[1] = {}, files: Record<string, string> = SHOP) => {
  folder = makeWorkFolder(files)
  return openTestToolbox(folder, more)
}
const bytes = (path: string) => readFileSync(join(folder.root, path))

describe('list', () => {
  test('shows what git does not ignore, and a folder that is named although git ignores it', async () => {
    const { call } = await open()
    folder.write({ 'dist/out.js': 'x\n', 'new file.txt': 'x\n' })
    const all = (await call('list', {})).output
    expect(all).toContain('The workspace has 6 files.')
    expect(all).toContain('"new file.txt"  2 bytes')
    expect(all).not.toContain('dist')
    const named = (await call('list', { path: 'dist/' })).output
    expect(named).toContain('dist/out.js  2 bytes')
    expect(named).toContain('Git ignores dist')
  })

  test('works in a folder without git', async () => {
    folder = makeWorkFolder(SHOP, { isGit: false })
    const { call } = await openTestToolbox(folder)
    folder.write({ 'node_modules/x/index.js': 'x\n' })
    expect((await call('list', {})).output).toContain('The workspace has 5 files.')
    expect((await call('list', { path: 'node_modules' })).output).toContain('node_modules/x/')
  })

  test('names what it leaves out', async () => {
    const { call } = await open({ exclude: ['README.md'] })
    symlinkSync('/etc/hostname', join(folder.root, 'out'))
    const { output } = await call('list', {})
    expect(output).toContain(
      'Not in the workspace: README.md is excluded by .cowrieignore or by the settings',
    )
    expect(output).toContain('Not in the workspace: out is a symbolic link, which is not followed.')
    expect((await call('read', { path: 'README.md' })).output).toContain('README.md is excluded')
    expect((await call('create', { path: 'README.md', content: 'x' })).ok).toBe(false)
  })
})

describe('read', () => {
  test('numbers the lines, and names the next line in a data-saving session', async () => {
    const { call } = await open({ isDataSaver: true }, { 'a.txt': 'line\n'.repeat(500) })
    const { ok, output, summary } = await call('read', { path: 'a.txt' })
    expect([ok, summary]).toEqual([true, 'a.txt: lines 1-400 of 500. Read from 401 to continue.'])
    expect(output.split('\n')[1]).toBe('  1| line')
    expect((await call('read', { path: 'a.txt', from: 401 })).output).toContain('500| line')
  })

  test('accepts the absolute path of a file in the folder, and ./ before a name', async () => {
    const { call } = await open()
    expect((await call('read', { path: join(folder.root, 'src/app.ts'), to: 1 })).output).toBe(
      'src/app.ts: lines 1-1 of 5.\n1| export class Cart {',
    )
    expect((await call('read', { path: './README.md', to: 1 })).ok).toBe(true)
  })

  test('suggests similar names, and knows a folder', async () => {
    const { call } = await open()
    expect((await call('read', { path: 'lib/app.ts' })).output).toContain('Did you mean src/app.ts?')
    expect((await call('read', { path: 'src' })).output).toBe('src is a folder. Use list to see its files.')
  })

  test('refuses binary and huge files with the reason', async () => {
    const { call } = await open()
    writeFileSync(join(folder.root, 'logo.png'), Buffer.from([137, 80, 78, 71, 0, 1]))
    writeFileSync(join(folder.root, 'huge.txt'), 'x'.repeat(3 << 20))
    expect((await call('read', { path: 'logo.png' })).output).toBe('logo.png is not text (6 bytes).')
    expect((await call('read', { path: 'huge.txt' })).output).toContain('3.0 MB, which is too large')
  })

  test('asks before it reads a file outside of the folder, and never reads secrets there', async () => {
    const { call, assess } = await open()
    writeFileSync(join(folder.root, '../notes.txt'), 'outside\n')
    const path = join(folder.root, '../notes.txt')
    expect(await assess('read', { path: '../notes.txt' })).toMatchObject({
      kind: 'ask',
      about: 'outside',
      subject: path,
    })
    expect((await call('read', { path: '~/notes.txt' })).output).toBe(`${path}: lines 1-1 of 1.\n1| outside`)
    mkdirSync(join(folder.root, '../.ssh'))
    writeFileSync(join(folder.root, '../.ssh/config'), 'Host x\n')
    expect(await assess('read', { path: '~/.ssh/config' })).toMatchObject({ kind: 'refused' })
    symlinkSync('.ssh/config', join(folder.root, '../innocent'))
    expect((await call('read', { path: '~/innocent' })).output).toContain('is never read')
    for (const [tool, input] of [
      ['list', { path: '..' }],
      ['search', { query: 'x', kind: 'text', path: '/' }],
      ['edit', { path: '../notes.txt', edits: [{ find: 'outside', replace: 'x' }] }],
    ] as const) {
      expect((await assess(tool, input)).kind).toBe('refused')
      expect((await call(tool, input)).output).toContain('outside of the workspace')
    }
  })
})

describe('search', () => {
  test('finds text, expressions and definitions, and says what was not searched', async () => {
    const { call } = await open()
    folder.write({ '.env': 'A=b\n' })
    folder.git('add', '-f', '.env')
    expect((await call('search', { query: 'cart', kind: 'text' })).output).toBe(
      '1 match in 1 file:\nsrc/app.ts\n  1| export class Cart {\nNot searched: 1 file with secrets.',
    )
    expect((await call('search', { query: 'sum\\(\\w+', kind: 'regex' })).output).toContain('2|   sum(rate')
    expect((await call('search', { query: 'Cart.sum', kind: 'symbol' })).output).toContain('src/app.ts:2')
    expect((await call('search', { query: '(', kind: 'regex' })).output).toContain('not a regular expression')
    expect((await call('search', { query: 'x', kind: 'text', path: 'nowhere' })).ok).toBe(false)
  })

  test('stops an expression that would run for years', async () => {
    const { call } = await open({}, { 'a.txt': `${'a'.repeat(50_000)}!\n` })
    const { ok, output } = await call('search', { query: '(a+)+$', kind: 'regex' })
    expect([ok, output]).toEqual([false, expect.stringContaining('took too long and was stopped')])
  })

  test('searches by meaning where there is an index, and says where there is none', async () => {
    const { call } = await open()
    const none = await call('search', { query: 'where are things sold', kind: 'meaning' })
    expect(none.output).toContain('This repository has no index.')
    expect(none.output).toContain('README.md')
    folder.remove()
    const indexed = await open({ meaning: async (query) => `README.md:1\nabout ${query} \x1b[2Jand ${KEY}` })
    const { output } = await indexed.call('search', { query: 'selling', kind: 'meaning' })
    expect(output).toMatch(/^README.md:1\nabout selling and WITHHELD_SECRET_\w+$/)
    folder.remove()
    const broken = await open({ meaning: () => Promise.reject(new Error('The index is offline.')) })
    expect((await broken.call('search', { query: 'Sells', kind: 'meaning' })).output).toMatch(
      /^The index could not be searched \(The index is offline\.\)\. These files .*\nREADME\.md\n {2}3\| Sells things\.$/,
    )
    folder.remove()
    const empty = await open({ meaning: async () => '' })
    expect((await empty.call('search', { query: 'quicksort', kind: 'meaning' })).output).toBe(
      'The index has no match. No file contains a word of the query. Use kind text, regex or symbol.',
    )
  })
})

describe('a change', () => {
  const edit = { path: 'src/app.ts', edits: [{ find: 'return rate', replace: 'return rate * 2' }] }

  test('asks with a diff that has line numbers, then edits and reports a patch', async () => {
    const { call, assess } = await open()
    const asked = await assess('edit', edit)
    if (asked.kind !== 'ask') throw new Error(asked.kind)
    expect([asked.about, asked.subject, asked.patterns]).toEqual([
      'edit',
      'src/app.ts',
      ['src/app.ts', 'src/**'],
    ])
    expect(asked.preview.map((line) => render(line, false))).toEqual([
      '1  export class Cart {',
      '2    sum(rate: number): number {',
      '3 -    return rate',
      '3 +    return rate * 2',
      '4    }',
      '5  }',
    ])
    expect(folder.read('src/app.ts')).toBe(SHOP['src/app.ts'])
    const report = await call('edit', edit)
    expect(report).toMatchObject({ ok: true, summary: 'Changed src/app.ts +1 -1' })
    expect(report.changes?.[0]?.patch).toContain('-    return rate\n+    return rate * 2\n')
    expect(folder.read('src/app.ts')).toContain('return rate * 2')
  })

  test.for([
    '.github/workflows/ci.yml',
    'package-lock.json',
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.mcp.json',
  ])('of %s asks about a sensitive file', async (path) => {
    const { assess } = await open()
    expect(await assess('create', { path, content: 'x\n' })).toMatchObject({
      kind: 'ask',
      about: 'sensitive',
      subject: path,
    })
  })

  test('that would fail needs no question, and explains itself', async () => {
    const { call, assess } = await open()
    const wrong = { path: 'src/app.ts', edits: [{ find: 'return price', replace: 'x' }] }
    expect(await assess('edit', wrong)).toEqual({ kind: 'free' })
    const { ok, output } = await call('edit', wrong)
    expect([ok, output.includes('The closest lines of the file are:')]).toEqual([false, true])
    expect((await call('create', { path: 'README.md', content: 'x' })).output).toContain('README.md exists')
    expect(
      (await call('edit', { path: 'src/app.ts', edits: [{ find: 'rate', replace: 'x' }] })).output,
    ).toContain('It occurs')
    expect((await call('edit', { path: 'src/app.ts' })).output).toBe('The arguments of edit are wrong.')
  })

  test('keeps the mode, line ends and byte order mark', async () => {
    const { call } = await open()
    writeFileSync(join(folder.root, 'win.txt'), '\ufeffone\r\ntwo\r\nthree')
    chmodSync(join(folder.root, 'win.txt'), 0o640)
    await call('edit', { path: 'win.txt', edits: [{ find: 'two\n', replace: 'zwei\ndrei\n' }] })
    expect(bytes('win.txt').toString()).toBe('\ufeffone\r\nzwei\r\ndrei\r\nthree')
    expect(statSync(join(folder.root, 'win.txt')).mode & 0o777).toBe(0o640)
    await call('edit', { path: 'run.sh', edits: [{ find: 'one', replace: 'two' }] })
    expect(statSync(join(folder.root, 'run.sh')).mode & 0o111).toBe(0o111)
  })

  test('deletes text and binary files, and creates folders', async () => {
    const { call, box } = await open()
    const image = Buffer.from([137, 80, 78, 71, 0, 255, 254])
    writeFileSync(join(folder.root, 'logo.png'), image)
    expect((await call('delete', { path: 'logo.png' })).output).toBe('Deleted logo.png.')
    expect((await call('create', { path: 'a/b/c.txt', content: 'x\n' })).ok).toBe(true)
    expect(folder.tree()).not.toHaveProperty(['logo.png'])
    expect(await box.undo('last')).toEqual({ restored: ['logo.png', 'a/b/c.txt'], conflicts: [] })
    expect(bytes('logo.png')).toEqual(image)
    expect(folder.tree()).not.toHaveProperty(['a/'])
  })

  test('refuses JSON that no longer parses', async () => {
    const { call } = await open({}, { 'package.json': '{\n  "name": "shop"\n}\n' })
    const { output } = await call('edit', {
      path: 'package.json',
      edits: [{ find: '"name": "shop"', replace: '"name": "shop",' }],
    })
    expect(output).toContain('would not parse')
  })

  test('of a file that cannot be replaced changes nothing', async () => {
    const { call, box } = await open()
    const { callId, turnId } = { callId: 'c1', turnId: 't1' }
    // Becomes a folder between the plan and the write.
    const swapped = call('create', { path: 'new.txt', content: 'x\n' }, { callId, turnId })
    mkdirSync(join(folder.root, 'new.txt'))
    const { ok, output } = await swapped
    expect([ok, /^(Nothing was changed|new.txt)/.test(output)]).toEqual([false, true])
    expect(lstatSync(join(folder.root, 'new.txt')).isDirectory()).toBe(true)
    expect(await box.changes()).toEqual([])
    rmSync(join(folder.root, 'new.txt'), { recursive: true })
    expect((await call('create', { path: 'new.txt', content: 'x\n' })).ok).toBe(true)
  })
})
