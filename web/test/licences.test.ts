// The app ships the licence of every package that is built into it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sourcesBelow } from '../../scripts/imports.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const licences = readFileSync(join(ROOT, 'web/dist/licences.txt'), 'utf8')

type Manifest = { version: string; dependencies?: Record<string, string> }
const manifestOf = (name: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'))

/** The packages that the source imports, with their dependencies. Read from the source, not from the build. */
function packagesOfApp(): Set<string> {
  const found = new Set<string>()
  const add = (name: string) => {
    if (found.has(name) || name.startsWith('@cowrie/')) return
    found.add(name)
    for (const needed of Object.keys(manifestOf(name).dependencies ?? {})) add(needed)
  }
  for (const folder of ['web/src', 'sdk/src'])
    for (const { path, packages } of sourcesBelow(join(ROOT, folder)))
      if (!path.includes('.test.')) for (const name of packages) add(name)
  return found
}

test('the licence of every bundled package and version is next to the bundle', () => {
  const listed = [...licences.matchAll(/^((?:@[\w-]+\/)?[\w-]+) (\d+\.\d+\.\d+)$/gm)]
  const expected = [...packagesOfApp()].sort().map((name) => `${name} ${manifestOf(name).version}`)
  expect(expected.length).toBeGreaterThan(0)
  expect(listed.map(([line]) => line)).toEqual(expected)
})

test('each is a complete licence with its copyright line', () => {
  const texts = licences.split(/^(?:@[\w-]+\/)?[\w-]+ \d+\.\d+\.\d+$/m).slice(1)
  for (const text of texts) {
    expect(text).toMatch(/copyright \(c\)/i)
    expect(text).toMatch(/Permission is hereby granted|Apache License|Redistribution and use/)
  }
})
