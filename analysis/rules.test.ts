// Every rule reports its bad examples on the marked lines and reports nothing in its good examples.
import { type RuleExample, readRuleExamples } from '@cowrie/testkit/analysis/rule-examples.ts'
import { describe, expect, test } from 'vitest'
import { languages, textRules } from './all-rules.ts'
import { scanFiles } from './engine/scan-files.ts'
import { fintechTextRules } from './fintech/fintech.ts'
import type { ScannedFile } from './report/finding.ts'
import { sqlRules } from './sql/sql.ts'

const EXAMPLES_MIN = 3
const examples = readRuleExamples()
const ids = new Set(
  [...languages.flatMap(({ rules }) => rules), ...fintechTextRules, ...sqlRules].map(({ id }) => id),
)

describe('a rule', () => {
  test.for([...ids])('%s has at least three bad and three good examples', (id) => {
    const own = examples.filter(({ rule }) => rule === id)
    expect(own.filter(({ isBad }) => isBad).length, 'bad examples').toBeGreaterThanOrEqual(EXAMPLES_MIN)
    expect(own.filter(({ isBad }) => !isBad).length, 'good examples').toBeGreaterThanOrEqual(EXAMPLES_MIN)
  })

  test('exists for every folder of examples', () => {
    expect(examples.filter(({ rule }) => !ids.has(rule))).toEqual([])
  })

  test.for([...Map.groupBy(examples, ({ rule }) => rule)])('%s matches its examples', async ([, own]) => {
    for (const example of own) {
      const { found, skipped } = await scanExample(example)
      const name = `${example.rule}/${example.name}`
      expect(skipped, name).toEqual([])
      if (!example.isBad) expect(found, name).toEqual([])
      else {
        expect(found.length, name).toBeGreaterThan(0)
        expect(found, name).toEqual(expect.arrayContaining(example.files.flatMap(markedLines)))
      }
    }
  })
})

async function scanExample({ rule, files }: RuleExample) {
  const only = languages.map(({ model, rules }) => ({ model, rules: rules.filter(({ id }) => id === rule) }))
  const texts = textRules.filter(({ id }) => id === rule)
  const { findings, skipped } = await scanFiles(files, only, texts, { onFailure: rethrow })
  return { found: findings.map(({ path, line }) => `${path}:${line}`), skipped }
}

function rethrow(path: string, error: unknown): never {
  throw new Error(`the scan of ${path} failed`, { cause: error })
}

const markedLines = ({ path, content }: ScannedFile): string[] =>
  content.split('\n').flatMap((text, index) => (text.includes('← here') ? [`${path}:${index + 1}`] : []))
