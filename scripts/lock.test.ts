import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { missingFrom } from './lock.mjs'

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')

test('the lockfile names the optional packages of every platform, so that npm ci accepts it', () => {
  expect(missingFrom(JSON.parse(text))).toEqual([])
})

test('the lockfile carries no download addresses', () => {
  expect(text).not.toMatch(/"resolved": "https?:/)
})
