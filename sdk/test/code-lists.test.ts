// The error catalogue is the only definition of the outcome of a failure. Other files use outcomeOf, resumable and retryable
// and contain no list of error codes.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../server/src/kernel/errors.ts'
import { outcomeOf } from '../src/index.ts'

const ROOT = join(import.meta.dirname, '../..')
const LIST_MIN = 3
/** Codes that are also other names, such as the status of a payment or the reason of a pause. */
const WORDS = new Set(['expired', 'forbidden', 'internal', 'busy', 'card_declined'])

/** Allowed files with several codes, with the reason. An unused entry fails too. */
const ALLOWED: Readonly<Record<string, string>> = {
  'cli/src/report-error.ts': 'the next command to type',
  'sdk/src/generated-errors.ts': 'the printed catalogue',
  'web/src/screens/billing/declined-help.tsx': 'the link to another card',
  'web/src/screens/frame/remedies.tsx': 'the errors whose remedy is loaded when it is needed',
}

const sources = ['sdk/src', 'web/src', 'cli/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
)

function codesIn(path: string): string[] {
  const quoted = readFileSync(join(ROOT, path), 'utf8').matchAll(/(['"`])([a-z_]+)\1/g)
  const words = new Set([...quoted].map(([, , word = '']) => word))
  return [...words].filter((word) => Object.hasOwn(ERRORS, word) && !WORDS.has(word))
}

test('no file of the SDK, the app or the CLI has a list of error codes', () => {
  const lists = sources.filter((path) => codesIn(path).length >= LIST_MIN)
  expect(lists.sort()).toEqual(Object.keys(ALLOWED).sort())
})

describe('the SDK knows the outcome of every code', () => {
  test.for(Object.keys(ERRORS) as ErrorCode[])('%s', (code) => {
    const { status, outcome } = ERRORS[code]
    expect(outcomeOf({ status, code, retryAfter: null })).toBe(outcome)
  })
})
