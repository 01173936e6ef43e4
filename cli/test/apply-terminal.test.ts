// The confirmation before files are written, in a real terminal.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTerminal, type TerminalOptions } from './pty.ts'
import { environmentOf, makeWorkFolder, type WorkFolder } from './work-folder.ts'

const LONG = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join('')

let folder: WorkFolder
beforeEach(async () => {
  folder = makeWorkFolder({ 'a.js': 'one\ntwo\n', 'b.js': 'b\n' })
  await folder.result({ 'a.js': 'one\n\x1b[2Jzwei\n', 'b.js': 'B\n' })
})
afterEach(() => folder.remove())

const terminal = (args: readonly string[], { env = {}, ...options }: TerminalOptions = {}) =>
  openTerminal(args, {
    cwd: folder.root,
    env: { ...environmentOf(join(folder.root, '..')), ...env },
    ...options,
  })

test('the diff is coloured, each file needs a confirmation, and escape codes in files are not printed', async () => {
  const shown = terminal(['apply'])
  await shown.until('Apply? [y] yes  [n] no  [e] each file  [s] save patch:')
  expect(shown.raw()).toContain('\x1b[32m+ [2Jzwei')
  expect(shown.raw()).not.toContain('\x1b[2J')
  expect(shown.screen()).toContain('2 files, +2 -2')
  shown.press('e\r')
  await shown.until('Apply to a.js? [y/N]')
  shown.press('n\r')
  await shown.until('Apply to b.js? [y/N]')
  shown.press('y\r')
  expect(await shown.ended).toBe(0)
  expect([folder.read('a.js'), folder.read('b.js')]).toEqual(['one\ntwo\n', 'B\n'])
})

soakTest('"no" changes nothing, and a saved patch can be applied later', async () => {
  const declined = terminal(['apply'])
  await declined.until('Apply?')
  declined.press('n\r')
  expect(await declined.ended).toBe(2)
  const saved = terminal(['apply'])
  await saved.until('Apply?')
  saved.press('s\r')
  expect(await saved.ended).toBe(0)
  expect([folder.read('a.js'), folder.read('b.js')]).toEqual(['one\ntwo\n', 'b\n'])
  const [, name = ''] = /(cowrie-\w{4}\.patch)/.exec(saved.screen()) ?? []
  expect(existsSync(join(folder.root, name))).toBe(true)
  expect((await folder.cowrie(['apply', '-y', '--patch', name])).code).toBe(0)
  expect(folder.read('b.js')).toBe('B\n')
})

test('Ctrl-C at the prompt writes nothing', async () => {
  const shown = terminal(['apply'])
  await shown.until('Apply?')
  shown.press('\x03')
  expect(await shown.ended).toBe(2)
  expect(folder.read('b.js')).toBe('b\n')
})

soakTest('a long diff opens in the pager before the prompt, and a dumb terminal gets it plain', async () => {
  await folder.result({ 'long.txt': LONG })
  const pager = join(folder.root, '..', 'pager.sh')
  writeFileSync(pager, 'head -n 12; echo "-- more --"; read -r key < /dev/tty\n')
  const paged = terminal(['apply'], { env: { PAGER: `sh ${pager}` }, rows: 20 })
  await paged.until('-- more --')
  expect(paged.screen()).toContain('+line 5')
  expect(paged.screen()).not.toContain('Apply?')
  paged.press('\r')
  await paged.until('Apply?')
  expect(paged.screen()).not.toContain('+line 59')
  paged.press('n\r')
  expect(await paged.ended).toBe(2)
  const dumb = terminal(['apply'], { env: { TERM: 'dumb' }, rows: 20, columns: 40 })
  await dumb.until('Apply?')
  expect(dumb.raw()).not.toContain('\x1b')
  expect(dumb.screen()).toContain('+line 59')
  dumb.press('y\r')
  expect(await dumb.ended).toBe(0)
  expect(folder.read('long.txt')).toBe(LONG)
})
