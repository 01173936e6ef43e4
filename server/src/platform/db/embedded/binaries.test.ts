import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestEnd, testFolder } from '@cowrie/testkit/platform/embedded.ts'
import { beforeEach, expect, test } from 'vitest'
import { findBinaries, linkLibraries } from './binaries.ts'
import { copyBinaries } from './binaries-copy.ts'
import { serverUserFor, spawnAs } from './server-user.ts'

const isRoot = process.getuid?.() === 0
const user = serverUserFor('/nowhere')
const installed = dirname(dirname(dirname(findBinaries(user, () => undefined).postgres)))

let parent: string
beforeEach(() => {
  // On disk, because some systems mount memory file systems with noexec.
  parent = mkdtempSync(join(tmpdir(), 'embedded-binaries-'))
  chmodSync(parent, 0o755)
  onTestEnd(() => rmSync(parent, { recursive: true, force: true }))
})

test('missing and broken links between libraries are created, and existing ones are kept', () => {
  const root = smallPackage()
  symlinkSync('gone', join(root, 'native/lib/libb.so'))
  expect(linkLibraries(root)).toBe(true)
  expect(linkLibraries(root)).toBe(true)
  expect(readlinkSync(join(root, 'native/lib/liba.so'))).toBe('liba.so.1')
  expect(readlinkSync(join(root, 'native/lib/libb.so'))).toBe('liba.so.1')
})

test('the copy of the binaries runs as the user of the server and is made once', () => {
  const log: string[] = []
  const copy = copyTo([parent], log)
  expect(copyTo([parent], log)).toBe(copy)
  expect(log).toHaveLength(1)
  const run = { ...spawnAs(user), cwd: '/', env: {}, encoding: 'utf8' } as const
  expect(execFileSync(join(copy, 'native/bin/postgres'), ['--version'], run)).toContain('(PostgreSQL) 18')
  expect(statSync(copy).mode & 0o777).toBe(0o755)
  expect(statSync(copy).uid).toBe(process.getuid?.())
})

test('a copy with a missing or truncated file is made again', () => {
  const copy = copyTo([parent])
  const size = statSync(join(copy, 'native/bin/postgres')).size
  truncateSync(join(copy, 'native/bin/postgres'), 10)
  copyTo([parent])
  expect(statSync(join(copy, 'native/bin/postgres')).size).toBe(size)
  rmSync(join(copy, 'native/share/postgresql/postgres.bki'))
  copyTo([parent])
  expect(statSync(join(copy, 'native/share/postgresql/postgres.bki')).size).toBeGreaterThan(0)
})

test('a folder that other users can change is skipped', () => {
  const open = join(testFolder.folder, 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  expect(copyTo([join(testFolder.folder, 'absent'), open, parent])).toContain(parent)
  expect(() => copyTo([open])).toThrow(`other users can change ${open}`)
})

test('an existing copy that belongs to another user or is writable by others is rejected', () => {
  const copy = copyTo([parent])
  if (isRoot) chownSync(copy, user.uid, user.gid)
  else chmodSync(copy, 0o777)
  expect(() => copyTo([parent])).toThrow('belongs to another user or is writable by others')
})

const copyTo = (parents: string[], log: string[] = []): string =>
  copyBinaries(installed, user, { parents, finish: linkLibraries, log: (line) => log.push(line) })

function smallPackage(): string {
  const root = join(testFolder.folder, 'package')
  mkdirSync(join(root, 'native/lib'), { recursive: true })
  writeFileSync(join(root, 'native/lib/liba.so.1'), 'a library')
  const links = ['liba.so', 'libb.so'].map((name) => ({
    source: 'native/lib/liba.so.1',
    target: `native/lib/${name}`,
  }))
  writeFileSync(join(root, 'native/pg-symlinks.json'), JSON.stringify(links))
  return root
}
