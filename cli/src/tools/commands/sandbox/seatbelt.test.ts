// The profile for macOS. These tests read its text only: no computer with macOS runs them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { afterAll, expect, test } from 'vitest'
import { seatbeltProfile } from './seatbelt.ts'

const home = scratchFolder()
const root = join(home, 'Documents/my "repo"')
mkdirSync(join(root, '.git/hooks'), { recursive: true })
writeFileSync(join(root, '.git/config'), '')
afterAll(() => rmSync(home, { recursive: true }))

const place = {
  root,
  home,
  homeFolder: join(home, 'own/home'),
  temporaryFolder: join(home, 'own/tmp'),
  hidden: [join(home, 'elsewhere/cowrie')],
  env: {},
}
const lines = (isOnline: boolean) => seatbeltProfile(place, isOnline).split('\n')
const indexOf = (start: string, part: string) =>
  lines(false).findIndex((line) => line.startsWith(start) && line.includes(part))

test('everything is denied that is not allowed, and brackets and quotes are closed', () => {
  expect(lines(false).slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
  for (const line of lines(false)) {
    const bare = line.replace(/"(?:[^"\\]|\\.)*"/g, '')
    expect(bare.split('(').length, line).toBe(bare.split(')').length)
    expect(bare, line).not.toContain('"')
  }
  expect(seatbeltProfile(place, false)).toContain(String.raw`my \"repo\"`)
})

test('keys of the home folder are denied before the repository in it is allowed', () => {
  const denied = indexOf('(deny file-read* file-write*', join(home, '.ssh'))
  const allowed = indexOf('(allow file-read* file-write*', 'my \\"repo')
  expect(denied).toBeGreaterThan(indexOf('(allow file-read*)', ''))
  expect(allowed).toBeGreaterThan(denied)
  for (const name of [
    '.aws',
    '.config',
    '.netrc',
    '.npmrc',
    '.kube',
    '.docker',
    'Library/Keychains',
    'elsewhere/cowrie',
  ])
    expect(lines(false)[denied]).toContain(`(subpath "${join(home, name)}")`)
})

test('what git executes is denied after the repository is allowed', () => {
  const allowed = indexOf('(allow file-read* file-write*', 'my \\"repo')
  const denied = indexOf('(deny file-write* ', '.git/hooks')
  expect(denied).toBeGreaterThan(allowed)
  expect(lines(false)[denied]).toContain('.git/config")')
  expect(indexOf('(deny file-write-unlink', '.git")')).toBeGreaterThan(allowed)
})

test('the network is only this computer, unless it is allowed', () => {
  expect(lines(false)).not.toContain('(allow network*)')
  expect(lines(true)).toContain('(allow network*)')
  const sockets = indexOf('(deny network-outbound', 'unix-socket')
  expect(sockets).toBeGreaterThan(indexOf('(allow network* (local', ''))
})
