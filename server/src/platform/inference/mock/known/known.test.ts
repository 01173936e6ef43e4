// What the stand-in model writes is right: every known function does what its examples say.
import { stripTypeScriptTypes } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { KNOWN, knownByMeaning, knownByName, spell, type Value, writeKnown } from './known.ts'

// One place for all of it: making one takes longer than what is run there.
const place = createContext({})

function results(code: string, name: string, calls: readonly (readonly Value[])[]): unknown {
  const script = `(() => {\n${code}\nreturn JSON.stringify(${JSON.stringify(calls)}.map((args) => ${name}(...args)))\n})()`
  return JSON.parse(String(runInContext(script, place, { timeout: 5_000 })))
}

describe.for(KNOWN.map((known) => [known.name, known] as const))('%s', ([, known]) => {
  test('does what its examples say, in JavaScript and in TypeScript', () => {
    const js = writeKnown(known, 'js')
    const ts = writeKnown(known, 'ts', 'another')
    const calls = known.examples.map(([args]) => args)
    const expected = known.examples.map(([, result]) => result)
    expect(results(js?.code ?? 'no code', js?.name ?? '', calls)).toEqual(expected)
    expect(results(stripTypeScriptTypes(ts?.code ?? ''), 'another', calls)).toEqual(expected)
  })

  test('is found by its names', () => {
    for (const name of [known.name, ...(known.aliases ?? [])]) expect(knownByName(name)).toBeDefined()
    expect(knownByName(spell(known.name, 'py'))).toBe(known)
  })
})

test.for<[words: string, name: string]>([
  ['a function that capitalizes each word', 'titleCase'],
  ['capitalizes the first letter', 'capitalize'],
  ['computes the greatest common divisor', 'gcd'],
  ['the sum of an array of numbers', 'sum'],
  ['adds two numbers', 'add'],
  ['removes duplicates from a list', 'unique'],
  ['checks if a year is a leap year', 'isLeapYear'],
  ['turns a title into a URL-friendly slug', 'slugify'],
  ['formats kobo as naira', 'formatNaira'],
])('“%s” means %s', ([words, name]) => {
  expect(knownByMeaning(words)?.name).toBe(name)
})

test('what nobody knows is not found', () => {
  expect(knownByMeaning('settles the quarterly accounts')).toBeUndefined()
  expect(knownByName('constructor')).toBeUndefined()
})
