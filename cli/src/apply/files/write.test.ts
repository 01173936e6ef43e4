// Writes are atomic: when a file cannot be written, when the process is killed, and for random trees and edits.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { isSoak, rounds } from '@cowrie/testkit/harness/soak.ts'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { environmentOf, makeWorkFolder, type WorkFolder } from '../../../test/work-folder.ts'
import { writeSteps } from './write.ts'

const COWRIE = fileURLToPath(new URL('../../../bin/cowrie.mjs', import.meta.url))
const FILES = { 'a.js': 'a\n', 'b.js': 'b\n', 'c/d.js': 'd\n', 'e.js': 'e\n' }
const EDITS = { 'a.js': 'A\n', 'new/x.js': 'x\n', 'b.js': null, 'c/d.js': 'D\n', 'e.js': 'E\n' }

let folder: WorkFolder
afterEach(() => folder.remove())

const homeOf = ({ root }: WorkFolder): string => join(root, '.git', 'cowrie')
const CLOCK = { hostName: 'here', now: () => new Date('2026-11-16T09:00:00Z') }
const state = (text: string) => ({ text, mode: 0o644 })

test('if the third file cannot be replaced, the first two are restored and no temporary file remains', async () => {
  folder = makeWorkFolder(FILES)
  const before = folder.tree()
  mkdirSync(join(folder.root, 'taken'))
  const steps = [
    { path: 'a.js', before: state('a\n'), after: state('A\n') },
    { path: 'new/deep/x.js', before: null, after: state('x\n') },
    { path: 'b.js', before: state('b\n'), after: null },
    { path: 'taken', before: null, after: state('t\n') },
    { path: 'e.js', before: state('e\n'), after: state('E\n') },
  ]
  await expect(writeSteps(homeOf(folder), CLOCK, folder.root, { id: '7k2f', steps })).rejects.toThrow(
    'taken was changed meanwhile',
  )
  expect(folder.tree()).toEqual({ ...before, 'taken/': '' })
  expect(existsSync(join(homeOf(folder), 'journal.json'))).toBe(false)
})

test('a second process does not write at the same time', async () => {
  folder = makeWorkFolder(FILES)
  await folder.result(EDITS)
  const writer = { pid: process.ppid, host: 'here', startedAt: CLOCK.now().getTime() }
  mkdirSync(homeOf(folder), { recursive: true })
  writeFileSync(join(homeOf(folder), 'journal.json'), `${JSON.stringify(writer)}\n`)
  const busy = await folder.cowrie(['apply', '-y'], { machine: CLOCK })
  expect([busy.code, busy.stderr.includes('apply_busy')]).toEqual([1, true])
  // After ten minutes the lock is stale.
  const later = { ...CLOCK, now: () => new Date('2026-11-16T09:10:01Z') }
  expect((await folder.cowrie(['apply', '-y'], { machine: later })).code).toBe(0)
})

/** Reports and blocks forever before the n-th rename or removal. */
const stopAt = (call: number): string =>
  `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  let calls = 0
  for (const name of ['rename', 'unlink']) {
    const real = fs.promises[name]
    fs.promises[name] = (...args) => {
      if (++calls !== ${call}) return real(...args)
      setInterval(() => {}, 60_000)
      process.stdout.write('stopped')
      return new Promise(() => {})
    }
  }
  syncBuiltinESMExports()
`)}`

test.for(isSoak ? [1, 3, 5, 6] : [3])(
  'after a kill at step %i, the next command restores the old files',
  async (call) => {
    folder = makeWorkFolder(FILES)
    const before = folder.tree()
    const { id } = await folder.result(EDITS)
    const env = {
      ...environmentOf(join(folder.root, '..')),
      ...COMPILE_CACHE,
      NODE_OPTIONS: `--import=${stopAt(call)}`,
    }
    const child = spawn(process.execPath, [COWRIE, 'apply', '--yes'], {
      cwd: folder.root,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child.stdout.once('data', () => child.kill('SIGKILL'))
    const signal = await new Promise((resolve) => child.on('close', (_code, name) => resolve(name)))
    expect(signal).toBe('SIGKILL')
    expect(folder.tree()).not.toEqual(before)
    // A run also restores them first, because it would send them.
    const [next, exit] =
      call === 3 ? [['run', 'Go on.', '--base-url', 'http://127.0.0.1:9'], 7] : [['undo'], 1]
    const { code, stderr } = await folder.cowrie(next)
    expect([code, folder.tree()]).toEqual([exit, before])
    expect(stderr).toContain(`died while writing ${id}`)
    expect(readdirSync(homeOf(folder))).not.toContain('journal.json')
    expect((await folder.cowrie(['apply', '-y'])).code).toBe(0)
    expect(folder.tree()).toMatchObject({ 'a.js': 'A\n', 'new/x.js': 'x\n', 'e.js': 'E\n' })
  },
)

const NAMES = ['a', 'b.txt', 'c/d', 'c/e/f.sh', 'ü ø.md']
const anyText = fc
  .array(fc.constantFrom('x\n', 'y\r\n', '\n', 'ü', '\t ', '\ufeff', 'long line\n'), { maxLength: 6 })
  .map((parts) => parts.join(''))
const anyTree = fc.dictionary(fc.constantFrom(...NAMES), anyText, { maxKeys: 4 })
const anyEdits = fc.dictionary(fc.constantFrom(...NAMES), fc.option(anyText), { minKeys: 1, maxKeys: 4 })

test('applying and undoing random edits restores random files', async () => {
  folder = makeWorkFolder()
  await fc.assert(
    fc.asyncProperty(anyTree, anyEdits, async (files, edits) => {
      for (const name of [...NAMES, 'c/e', 'c'])
        rmSync(join(folder.root, name), { recursive: true, force: true })
      folder.write(files)
      const before = folder.tree()
      await folder.result(edits, {}, files)
      const applied = await folder.cowrie(['apply', '-y', '--allow-dirty', '--json'])
      expect(applied.code).toBe(0)
      const { outcome } = JSON.parse(applied.stdout) as { outcome: string }
      for (const [path, text] of Object.entries(edits))
        expect(folder.tree()[path] !== undefined).toBe(text !== null)
      expect((await folder.cowrie(['undo'])).code).toBe(outcome === 'applied' ? 0 : 1)
      expect(folder.tree()).toEqual(before)
    }),
    { numRuns: rounds(4, 15), seed: 20_261_116 },
  )
})
