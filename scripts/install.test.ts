import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasAll, nodeBinary, ROOT } from './install.mjs'

const locked = {
  '': { version: '0.4.0' },
  server: { version: '0.4.0' },
  'node_modules/@cowrie/server': { link: true, resolved: 'server' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/a/node_modules/b': { version: '1.0.0', integrity: 'sha512-b' },
  'node_modules/tool-darwin': { version: '1.0.0', integrity: 'sha512-d', optional: true },
}
const { 'node_modules/tool-darwin': _, ...here } = locked

test('packages of other platforms may be missing', () => {
  expect(hasAll(here, locked)).toBe(true)
})

test.for([
  { why: 'a package is missing', installed: { 'node_modules/a': locked['node_modules/a'] } },
  {
    why: 'a new workspace is not linked',
    installed: Object.fromEntries(Object.entries(here).filter(([path]) => !path.includes('@cowrie'))),
  },
  {
    why: 'a package has a different hash',
    installed: { ...here, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } },
  },
  {
    why: 'an optional package has a different hash',
    installed: { ...here, 'node_modules/tool-darwin': { version: '1.0.1', integrity: 'sha512-x' } },
  },
])('the installation is incomplete when $why', ({ installed }) => {
  expect(hasAll(installed, locked)).toBe(false)
})

test('the packages of this checkout match its lockfile', () => {
  const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages
  expect(hasAll(read('node_modules/.package-lock.json'), read('package-lock.json'))).toBe(true)
})

test('Linux uses the Node.js of the lockfile, other systems use theirs', () => {
  const pinned = join(ROOT, 'node_modules', `node-linux-${process.arch}`, 'bin/node')
  expect(nodeBinary()).toBe(process.platform === 'linux' ? pinned : process.execPath)
})
