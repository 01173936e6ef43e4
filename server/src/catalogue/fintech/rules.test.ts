import { describe, expect, test } from 'vitest'
import { languages, textRules } from '../all-rules.ts'
import { scanFiles } from '../engine/scan-files.ts'
import type { Example } from '../example.fixture.ts'
import { fintechRules, fintechTextRules } from './fintech.ts'
import { examples as amounts } from './rules/amounts.fixture.ts'
import { examples as balances } from './rules/balances.fixture.ts'
import { examples as money } from './rules/money.fixture.ts'
import { examples as privacy } from './rules/privacy.fixture.ts'
import { examples as references } from './rules/references.fixture.ts'
import { examples as webhooks } from './rules/webhooks.fixture.ts'

const examples: readonly Example[] = [
  ...webhooks,
  ...amounts,
  ...balances,
  ...money,
  ...privacy,
  ...references,
]

/** A text may begin with the line `=== path`, where it is not in the language of most. */
function fileOf(text: string, path = 'src/example.ts') {
  const [first = '', ...rest] = text.split('\n')
  return first.startsWith('=== ')
    ? { path: first.slice(4), content: rest.join('\n') }
    : { path, content: text }
}

async function linesOf(rule: string, text: string, path: string | undefined): Promise<number[]> {
  const only = languages.map(({ model, rules }) => ({ model, rules: rules.filter(({ id }) => id === rule) }))
  const texts = textRules.filter(({ id }) => id === rule)
  const failed = (_: string, error: unknown) => {
    throw error
  }
  const { findings, skipped } = await scanFiles([fileOf(text, path)], only, texts, { failed })
  expect(skipped).toEqual([])
  return findings.map(({ line }) => line)
}

describe('code that moves money', () => {
  test.for([...fintechRules, ...fintechTextRules])('$id has examples enough', ({ id }) => {
    const own = examples.filter(({ rule }) => rule === id)
    expect(own.flatMap(({ bad }) => bad).length).toBeGreaterThanOrEqual(3)
    expect(own.flatMap(({ good }) => good).length).toBeGreaterThanOrEqual(3)
  })

  test.for(examples)('$rule finds what is bad and leaves what is good', async ({ rule, bad, good, path }) => {
    for (const text of bad) {
      const lines = await linesOf(rule, text, path)
      expect(lines.length, `not found in:\n${text}`).toBeGreaterThan(0)
      const marked = fileOf(text)
        .content.split('\n')
        .flatMap((line, index) => (line.includes('← here') ? [index + 1] : []))
      expect(lines, `elsewhere in:\n${text}`).toEqual(expect.arrayContaining(marked))
    }
    for (const text of good) expect(await linesOf(rule, text, path), `found in:\n${text}`).toEqual([])
  })
})
