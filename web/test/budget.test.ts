// What a first visit costs on the wire.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
const KILOBYTE = 1_000

test('the sign-in page is under 45 kB with brotli: its HTML, styles and scripts, everything included', () => {
  expect(compressedBytes('')).toBeGreaterThan(0)
  expect(compressedBytes('')).toBeLessThan(45 * KILOBYTE)
})

test('what the reference page adds to its text is under 15 kB', () => {
  expect(compressedBytes('reference/')).toBeGreaterThan(0)
  expect(compressedBytes('reference/')).toBeLessThan(15 * KILOBYTE)
})

test('every file but the page itself has its hash in its name, so it may be kept for ever', () => {
  const names = readdirSync(DIST).filter((name) => /\.(js|css|svg)$/.test(name))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) expect(name).toMatch(/-[A-Z0-9]{8}\.\w+$/)
})

const compressedBytes = (folder: string): number =>
  readdirSync(`${DIST}${folder}`)
    .filter((name) => name.endsWith('.br'))
    .reduce((sum, name) => sum + readFileSync(`${DIST}${folder}${name}`).length, 0)
