// Changes are whole or absent after a crash, happen once, and can be taken back exactly, also after a restart.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { pickOne, seeded } from '@cowrie/testkit/harness/seeded.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { openTestToolbox, stateOf } from '../../test/toolbox.ts'
import { environmentOf, makeWorkFolder, type WorkFolder } from '../../test/work-folder.ts'
import { idOfCall } from './call-store.ts'

const PROCESS = fileURLToPath(new URL('../../test/tool-process.ts', import.meta.url))
const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'bee\n', 'c/d.sh': '#!/bin/sh\nexit 0\n' }

let folder: WorkFolder
afterEach(() => folder.remove())

const replace = (path: string, find: string, text: string) => ({ path, edits: [{ find, replace: text }] })

/** Every file with its exact bytes and mode. */
function exactTree(root: string, within = ''): Record<string, string> {
  const tree: Record<string, string> = {}
  for (const entry of readdirSync(join(root, within), { withFileTypes: true })) {
    const path = join(within, entry.name)
    if (path === '.git') continue
    const { mode } = statSync(join(root, path))
    if (entry.isDirectory()) Object.assign(tree, { [`${path}/`]: '' }, exactTree(root, path))
    else tree[path] = `${mode.toString(8)} ${readFileSync(join(root, path), 'hex')}`
  }
  return tree
}

test('undo takes back the last turn, then the one before, also after a restart', async () => {
  folder = makeWorkFolder(FILES)
  const first = exactTree(folder.root)
  const { call, box } = await openTestToolbox(folder)
  await call('edit', replace('a.txt', 'one', 'eins'), { turnId: 't1' })
  await call('create', { path: 'new/x.txt', content: 'x\n' }, { turnId: 't1' })
  const second = exactTree(folder.root)
  await call('edit', replace('a.txt', 'two', 'zwei'), { turnId: 't2' })
  await call('delete', { path: 'c/d.sh' }, { turnId: 't2' })
  expect((await box.changes()).map(({ turnId, path }) => `${turnId} ${path}`)).toEqual([
    't1 a.txt',
    't1 new/x.txt',
    't2 a.txt',
    't2 c/d.sh',
  ])
  await box.close()
  const again = await openTestToolbox(folder)
  expect(await again.box.undo('last')).toEqual({ restored: ['a.txt', 'c/d.sh'], conflicts: [] })
  expect(exactTree(folder.root)).toEqual(second)
  expect((await again.box.changes()).map(({ path }) => path)).toEqual(['a.txt', 'new/x.txt'])
  expect(await again.box.undo('last')).toEqual({ restored: ['a.txt', 'new/x.txt'], conflicts: [] })
  expect(exactTree(folder.root)).toEqual(first)
  await expect(again.box.undo('last')).rejects.toThrow('no change of this session')
})

test('undo of a turn takes back the later ones too', async () => {
  folder = makeWorkFolder(FILES)
  const before = exactTree(folder.root)
  const { call, box } = await openTestToolbox(folder)
  for (const [turnId, text] of [
    ['t1', 'eins'],
    ['t2', 'uno'],
    ['t3', 'un'],
  ] as const)
    await call('create', { path: 'a.txt', content: `${text}\n`, overwrite: true }, { turnId })
  expect(await box.undo('t1')).toEqual({ restored: ['a.txt'], conflicts: [] })
  expect(exactTree(folder.root)).toEqual(before)
})

test('undo leaves alone what someone else changed since, and restores the rest', async () => {
  folder = makeWorkFolder(FILES)
  const { call, box } = await openTestToolbox(folder)
  await call('edit', replace('a.txt', 'one', 'eins'))
  await call('edit', replace('b.txt', 'bee', 'biene'))
  await call('create', { path: 'n.txt', content: 'n\n' })
  folder.write({ 'a.txt': 'mine\n' })
  chmodSync(join(folder.root, 'n.txt'), 0o755)
  expect(await box.undo('last')).toEqual({ restored: ['b.txt', 'n.txt'], conflicts: ['a.txt'] })
  expect([folder.read('a.txt'), folder.read('b.txt')]).toEqual(['mine\n', 'bee\n'])
  expect((await box.changes()).map(({ path }) => path)).toEqual(['a.txt'])
  // The user takes the change back: then it can be undone.
  folder.write({ 'a.txt': 'eins\ntwo\n' })
  expect(await box.undo('last')).toEqual({ restored: ['a.txt'], conflicts: [] })
})

test('files that a command changed are taken back too', async () => {
  folder = makeWorkFolder(FILES)
  const state = (text: string) => ({ text, mode: 0o644 })
  const group = {
    definitions: [],
    names: ['run'],
    isReadOnly: () => false,
    assess: async () => ({ kind: 'free' as const }),
    run: async () => {
      folder.write({ 'b.txt': 'made by a command\n' })
      return {
        ok: true,
        output: 'done',
        summary: 'done',
        changes: [{ path: 'b.txt', patch: '-bee\n+made by a command\n' }],
        steps: [{ path: 'b.txt', before: state('bee\n'), after: state('made by a command\n') }],
      }
    },
    close: async () => undefined,
  }
  const { call, box } = await openTestToolbox(folder, { groups: [group] })
  const report = await call('run', {}, { turnId: 't1' })
  expect(report).not.toHaveProperty('steps')
  expect(await box.changes()).toEqual([{ turnId: 't1', ...report.changes?.[0] }])
  expect(await box.undo('last')).toEqual({ restored: ['b.txt'], conflicts: [] })
  expect(folder.read('b.txt')).toBe('bee\n')
})

test('a change that a hook makes to an edited file is taken back with it', async () => {
  folder = makeWorkFolder(FILES)
  let runs = 0
  const { call, box } = await openTestToolbox(folder, {
    wrapFiles: (group) => ({
      ...group,
      async run(toolCall, options) {
        const report = await group.run(toolCall, options)
        runs += 1
        if (report.ok) folder.write({ 'a.txt': 'formatted\n' })
        return report
      },
    }),
  })
  const report = await call('edit', replace('a.txt', 'one', 'eins'), { callId: 'c1' })
  expect(report.output).toContain('A hook of the user changed a.txt afterwards')
  expect((await box.changes()).map(({ patch }) => patch.includes('-one\n-two\n+formatted'))).toEqual([true])
  await call('edit', replace('a.txt', 'one', 'eins'), { callId: 'c1' })
  expect([runs, folder.read('a.txt')]).toEqual([1, 'formatted\n'])
  expect(await box.undo('last')).toEqual({ restored: ['a.txt'], conflicts: [] })
  expect(folder.read('a.txt')).toBe('one\ntwo\n')
})

test('a call with an id that has run before returns its report and does nothing', async () => {
  folder = makeWorkFolder(FILES)
  const { call, box } = await openTestToolbox(folder)
  const first = await call('edit', replace('a.txt', 'one', 'one one'), { callId: 'c1' })
  const { details: _, ...stored } = first
  expect(await call('edit', replace('a.txt', 'one', 'one one'), { callId: 'c1' })).toEqual(stored)
  await box.close()
  const again = await openTestToolbox(folder)
  const repeated = { callId: 'c1', turnId: 't', tool: 'edit', input: replace('a.txt', 'one', 'one one') }
  expect(await again.box.assess(repeated)).toEqual({ kind: 'free' })
  expect(await again.call('edit', repeated.input, { callId: 'c1' })).toEqual(stored)
  expect(folder.read('a.txt')).toBe('one one\ntwo\n')
})

test('two calls with the same id at the same time run once', async () => {
  folder = makeWorkFolder(FILES)
  const { call } = await openTestToolbox(folder)
  const input = replace('a.txt', 'one', 'one one')
  const [one, two] = await Promise.all([
    call('edit', input, { callId: 'c1' }),
    call('edit', input, { callId: 'c1' }),
  ])
  expect([one.ok, two]).toEqual([true, one])
  expect(folder.read('a.txt')).toBe('one one\ntwo\n')
})

test('a command that had started when the process ended is not run again', async () => {
  folder = makeWorkFolder(FILES)
  let runs = 0
  const group = {
    definitions: [],
    names: ['run'],
    isReadOnly: () => false,
    assess: async () => ({ kind: 'free' as const }),
    run: () => {
      runs += 1
      return new Promise<never>(() => undefined)
    },
    close: async () => undefined,
  }
  const { call } = await openTestToolbox(folder, { groups: [group] })
  void call('run', {}, { callId: 'c1' })
  await expect.poll(() => runs).toBe(1)
  const again = await openTestToolbox(folder, { groups: [group] })
  const report = await again.call('run', {}, { callId: 'c1' })
  expect([runs, report.ok]).toEqual([1, false])
  expect(report.output).toContain('run was started, and this program ended before it did')
})

test('an unreadable state folder of another version does not stop the tools', async () => {
  folder = makeWorkFolder(FILES)
  const { call } = await openTestToolbox(folder)
  await call('edit', replace('a.txt', 'one', 'eins'), { callId: 'c1' })
  writeFileSync(join(stateOf(folder), 'tools/reports', `${idOfCall('c1')}.json`), 'damaged')
  const again = await openTestToolbox(folder)
  // The report is lost, but the change is known, so the edit does not happen twice.
  const { ok, output } = await again.call('edit', replace('a.txt', 'two', 'two two'), { callId: 'c1' })
  expect([ok, output]).toEqual([false, expect.stringContaining('has been made')])
  expect(folder.read('a.txt')).toBe('eins\ntwo\n')
})

/** Reports and blocks forever before the n-th rename or removal. */
const stopAt = (step: number): string =>
  `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  let steps = 0
  for (const name of ['rename', 'unlink']) {
    const real = fs.promises[name]
    fs.promises[name] = (...args) => {
      if (++steps !== ${step}) return real(...args)
      setInterval(() => {}, 60_000)
      process.stdout.write('stopped')
      return new Promise(() => {})
    }
  }
  syncBuiltinESMExports()
`)}`

const CALLS = [
  { callId: 'k1', turnId: 't1', tool: 'edit', input: replace('a.txt', 'one', 'one one') },
  { callId: 'k2', turnId: 't1', tool: 'create', input: { path: 'deep/er/n.txt', content: 'n\n' } },
  { callId: 'k3', turnId: 't1', tool: 'delete', input: { path: 'b.txt' } },
  { callId: 'k4', turnId: 't1', tool: 'edit', input: replace('c/d.sh', 'exit 0', 'exit 1') },
]

/** Runs the calls in a child and kills it at a step, or some time after it has opened the toolbox. */
async function runAndKill(options: { step?: number; delayMs?: number }): Promise<void> {
  const env = {
    ...environmentOf(join(folder.root, '..')),
    ...COMPILE_CACHE,
    ...(options.step !== undefined && { NODE_OPTIONS: `--import=${stopAt(options.step)}` }),
  }
  const args = [
    '--disable-warning=ExperimentalWarning',
    PROCESS,
    folder.root,
    stateOf(folder),
    JSON.stringify(CALLS),
  ]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.on('data', (data: Buffer) => {
    const text = data.toString()
    if (text.includes('stopped')) child.kill('SIGKILL')
    if (options.delayMs !== undefined && text.includes('opened'))
      setTimeout(() => child.kill('SIGKILL'), options.delayMs)
  })
  await new Promise((resolve) => child.on('close', resolve))
}

const AFTER = {
  'a.txt': 'one one\ntwo\n',
  'deep/': '',
  'deep/er/': '',
  'deep/er/n.txt': 'n\n',
  'c/': '',
  'c/d.sh': 'x #!/bin/sh\nexit 1\n',
}

async function expectOnce(before: Record<string, string>): Promise<void> {
  const { box } = await openTestToolbox(folder)
  const { signal } = new AbortController()
  for (const call of CALLS) {
    await box.assess(call)
    expect([call.callId, (await box.run(call, { signal })).ok]).toEqual([call.callId, true])
  }
  expect(folder.tree()).toEqual(AFTER)
  expect((await box.changes()).map(({ path }) => path)).toEqual(['a.txt', 'deep/er/n.txt', 'b.txt', 'c/d.sh'])
  await box.undo('last')
  expect(exactTree(folder.root)).toEqual(before)
}

// Steps of the first call: the nonce, the plan, the file, the record, the report.
test.for(rounds(0, 1) === 1 ? Array.from({ length: 18 }, (_, i) => i + 1) : [3, 8])(
  'after a kill at step %i, the calls run again without a change happening twice',
  async (step) => {
    folder = makeWorkFolder(FILES)
    const before = exactTree(folder.root)
    await runAndKill({ step })
    await expectOnce(before)
  },
)

test('the same after kills at random moments', async () => {
  const random = seeded(28)
  for (let round = 0; round < rounds(1, 60); round++) {
    folder?.remove()
    folder = makeWorkFolder(FILES)
    const before = exactTree(folder.root)
    await runAndKill({ delayMs: random() * 60 })
    await expectOnce(before)
  }
})

/** Replaces the folder `d` by a link to another folder and back, as fast as it can. */
const SWAP = `
  const fs = require('node:fs')
  const [outside] = process.argv.slice(1)
  fs.symlinkSync(outside, 'link')
  process.stdout.write('swapping')
  const attempt = (work) => {
    try {
      work()
    } catch {
      // The tools may have created the folder meanwhile.
    }
  }
  for (;;) {
    attempt(() => fs.renameSync('d', 'real'))
    attempt(() => fs.renameSync('link', 'd'))
    attempt(() => fs.lstatSync('d').isSymbolicLink() && fs.renameSync('d', 'link'))
    attempt(() => fs.existsSync('real') && fs.rmSync('d', { recursive: true, force: true }))
    attempt(() => fs.renameSync('real', 'd'))
  }
`

test('a process that swaps a folder for a link cannot make the tools read or write outside', async () => {
  folder = makeWorkFolder({ 'd/a.txt': 'a\n' })
  const outside = join(folder.root, '../outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'a.txt'), 'outside\n')
  const { call, box } = await openTestToolbox(folder)
  const child = spawn(process.execPath, ['-e', SWAP, outside], {
    cwd: folder.root,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve))
    for (let round = 0; round < rounds(8, 1_000); round++) {
      await call('create', { path: 'd/a.txt', content: `${round}\n`, overwrite: true })
      await call('create', { path: `d/n${round}.txt`, content: 'n\n' })
      const { output } = await call('read', { path: 'd/a.txt' })
      expect(output).not.toContain('outside')
      await call('delete', { path: 'd/a.txt' })
      const { output: found } = await call('search', { query: 'outside', kind: 'text' })
      expect(found).not.toContain('a.txt')
    }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  expect(JSON.stringify(await box.changes())).not.toContain('outside')
  expect(readdirSync(outside)).toEqual(['a.txt'])
  expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('outside\n')
})

const NAMES = ['a', 'b.txt', 'c/d', 'c/e/f.sh', 'ü ø.md']
const TEXTS = ['x\n', 'y\r\n', '\n', 'ü', '\t ', '\ufeff', 'long line\n']
const anyText = fc.array(fc.constantFrom(...TEXTS), { maxLength: 6 }).map((parts) => parts.join(''))
const anyBytes = fc.oneof(
  anyText.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array)),
)
const anyMode = fc.constantFrom(0o644, 0o600, 0o755, 0o444)
const anyTree = fc.dictionary(fc.constantFrom(...NAMES), fc.tuple(anyBytes, anyMode), { maxKeys: 5 })
const anyCall = fc.oneof(
  fc.record({ tool: fc.constant('create'), path: fc.constantFrom(...NAMES), text: anyText }),
  fc.record({ tool: fc.constant('edit'), path: fc.constantFrom(...NAMES), text: anyText }),
  fc.record({ tool: fc.constant('delete'), path: fc.constantFrom(...NAMES), text: fc.constant('') }),
)

test('changing random files and undoing it restores every byte and mode', async () => {
  folder = makeWorkFolder()
  const random = seeded(5)
  let turns = 0
  await fc.assert(
    fc.asyncProperty(anyTree, fc.array(anyCall, { minLength: 1, maxLength: 6 }), async (files, changes) => {
      for (const name of [...NAMES, 'c/e', 'c'])
        rmSync(join(folder.root, name), { recursive: true, force: true })
      for (const [path, [content, mode]] of Object.entries(files)) {
        folder.write({ [path]: '' })
        writeFileSync(join(folder.root, path), content)
        chmodSync(join(folder.root, path), mode)
      }
      const before = exactTree(folder.root)
      const { call, box } = await openTestToolbox(folder)
      const turnId = `random-${++turns}`
      for (const { tool, path, text } of changes) {
        const find = pickOne(random, ['x', 'y', 'long line', 'ü'])
        const input =
          tool === 'edit'
            ? { path, edits: [{ find, replace: text, all: true }] }
            : { path, content: text, overwrite: true }
        await call(tool, tool === 'delete' ? { path } : input, { turnId })
      }
      const isChanged = (await box.changes()).some((each) => each.turnId === turnId)
      if (!isChanged) expect(exactTree(folder.root)).toEqual(before)
      else expect((await box.undo(turnId)).conflicts).toEqual([])
      expect(exactTree(folder.root)).toEqual(before)
    }),
    { numRuns: rounds(10, 400), seed: 20_261_118 },
  )
})
