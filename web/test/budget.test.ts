// The transfer size of a visit with brotli.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const SCREENS = fileURLToPath(new URL('../src/screens/table.ts', import.meta.url))
const KILOBYTE = 1_000

const names = readdirSync(DIST)
/** From the build: the additional scripts of each screen. */
const scripts = JSON.parse(readFileSync(`${DIST}.scripts.json`, 'utf8')) as Record<string, string>

test('the sign-in page is below 45 kB, including HTML, styles and scripts', () => {
  expect(frameBytes() + screenBytes('/app/sign-in')).toBeLessThan(45 * KILOBYTE)
})

test('the first screen after sign-in is below 60 kB', () => {
  expect(frameBytes() + screenBytes('/app')).toBeLessThan(60 * KILOBYTE)
})

test('the scripts of the shell are below 30 kB', () => {
  expect(bytesOf(named('shell', 'js'))).toBeLessThan(30 * KILOBYTE)
})

test('the secret patterns are loaded once there are files, not with a screen', () => {
  const isTable = (name: string) => readFileSync(`${DIST}${name}`, 'utf8').includes('FLWSECK')
  const frame = [named('boot', 'js'), named('main', 'js'), named('shell', 'js')]
  const loadedBy = (path: string) => (scripts[path] ?? '').split(' ').filter(Boolean)
  const screens = ['/app', '/app/sign-in', '/app/tasks/new'].flatMap(loadedBy)
  expect([...frame, ...screens].filter(isTable)).toEqual([])
  expect(names.filter((name) => name.endsWith('.js')).filter(isTable).length).toBeGreaterThan(0)
})

test('no further screen adds more than 25 kB of scripts and styles', () => {
  expect(Object.keys(scripts).length).toBeGreaterThan(40)
  const heavy = Object.keys(scripts).filter((path) => screenBytes(path) > 25 * KILOBYTE)
  expect(heavy).toEqual([])
})

test('no translation file is above 12 kB', () => {
  const words = names.filter((name) => /^[a-z]{2}-[a-z-]+-\w{6,8}\.json$/.test(name))
  expect(words.length).toBeGreaterThan(0)
  expect(words.filter((name) => bytesOf(name) > 12 * KILOBYTE)).toEqual([])
})

test('the reference page adds less than 15 kB to its text', () => {
  const added = readdirSync(`${DIST}reference/`).filter((name) => !name.endsWith('.br'))
  expect(added.length).toBeGreaterThan(0)
  expect(sum(added.map((name) => bytesOf(`reference/${name}`)))).toBeLessThan(15 * KILOBYTE)
})

test('every file except the page and its worker has a hash in its name, so it can be cached forever', () => {
  const kept = names.filter((name) => /\.(js|css|svg|json)$/.test(name) && !/^(worker\.js|\..*)$/.test(name))
  expect(kept.length).toBeGreaterThan(0)
  for (const name of kept) expect(name).toMatch(/-[a-zA-Z0-9]{6,8}\.\w+$/)
})

/** The files that every screen needs. */
const frameBytes = (): number =>
  sum(
    ['index.html', named('style', 'css'), named('boot', 'js'), named('main', 'js'), named('shell', 'js')].map(
      bytesOf,
    ),
  )

/** The scripts of a screen, and the styles of its area. */
function screenBytes(path: string): number {
  const style = names.find((name) => new RegExp(`^${areaOf(path)}-\\w{6,8}\\.css$`).test(name))
  return sum([...(scripts[path] ?? '').split(' ').filter(Boolean), ...(style ? [style] : [])].map(bytesOf))
}

/** From the table of screens. */
function areaOf(path: string): string {
  const line = readFileSync(SCREENS, 'utf8')
    .split('\n')
    .find((each) => each.includes(`('${path}',`))
  const [, whom = '', part] = /^ {2}(\w+)(?:\('([\w-]+)'\))?\('/.exec(line ?? '') ?? []
  const area = part ?? { staff: 'ops', visitor: 'sign-in', anyone: 'sign-in' }[whom]
  if (area === undefined) throw new Error(`${path} is in no part of the app`)
  return area
}

function named(name: string, ending: string): string {
  const found = names.filter((each) => new RegExp(`^${name}-\\w{6,8}\\.${ending}$`).test(each))
  if (found.length !== 1) throw new Error(`there are ${found.length} files ${name}.${ending}`)
  return found[0] ?? ''
}

const bytesOf = (name: string): number => readFileSync(`${DIST}${name}.br`).length
const sum = (parts: readonly number[]): number => parts.reduce((all, each) => all + each, 0)
