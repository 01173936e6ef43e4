// Holds the rules of a language to their examples: what is bad is found on its line, what is good is left alone.
import { describe, expect, test } from 'vitest'
import { scanFiles } from './engine/scan-files.ts'
import { type Example, filesOf } from './example.fixture.ts'
import type { Finding, ScannedFile } from './finding.ts'
import type { LanguageModel } from './language.ts'
import type { Rule } from './rule.ts'

const EXAMPLES_MIN = 3

/** Registers one test per rule, and one that every rule has examples enough. */
export function checkExamples(
  language: { readonly model: LanguageModel; readonly rules: readonly Rule[] },
  examples: readonly Example[],
): void {
  const { model, rules } = language
  describe(`the rules for ${model.language}`, () => {
    test.for(rules)('have enough examples: $id', ({ id }) => {
      const own = examples.filter(({ rule }) => rule === id)
      expect(own.flatMap(({ bad }) => bad).length, 'bad ones').toBeGreaterThanOrEqual(EXAMPLES_MIN)
      expect(own.flatMap(({ good }) => good).length, 'good ones').toBeGreaterThanOrEqual(EXAMPLES_MIN)
    })

    test.for(examples)('find what is bad and leave what is good: $rule', async (example) => {
      expect(
        rules.some(({ id }) => id === example.rule),
        'there is such a rule',
      ).toBe(true)
      for (const text of example.bad) {
        const { found, marked, report } = await scanExample(language, example, text)
        expect(report.skipped, text).toEqual([])
        expect(found.length, `not found in:\n${text}`).toBeGreaterThan(0)
        if (marked.length > 0)
          expect(found.map(place), `elsewhere in:\n${text}`).toEqual(expect.arrayContaining(marked))
      }
      for (const text of example.good) {
        const { found, report } = await scanExample(language, example, text)
        expect(report.skipped, text).toEqual([])
        expect(found.map(place), `found in:\n${text}`).toEqual([])
      }
    })
  })
}

/** What the rules of a language find in one text, told as `path:line RULE-ID`; for tests and for trying things out. */
export async function findIn(
  language: { readonly model: LanguageModel; readonly rules: readonly Rule[] },
  text: string,
  path?: string,
): Promise<string[]> {
  const files = filesOf(text, language.model.language, path)
  const { findings } = await scanFiles(files, [language], [], { failed })
  return findings.map((finding) => `${place(finding)} ${finding.ruleId}`)
}

async function scanExample(
  language: { readonly model: LanguageModel; readonly rules: readonly Rule[] },
  { rule, path }: Example,
  text: string,
) {
  const files = filesOf(text, language.model.language, path)
  const only = language.rules.filter(({ id }) => id === rule)
  const report = await scanFiles(files, [{ model: language.model, rules: only }], [], { failed })
  return { report, found: report.findings, marked: files.flatMap(markedLines) }
}

/** What went wrong is the test's own failure, not a line in a report. */
function failed(path: string, error: unknown): never {
  throw new Error(`going through ${path} failed`, { cause: error })
}

const place = ({ path, line }: Pick<Finding, 'path' | 'line'>): string => `${path}:${line}`

const markedLines = ({ path, content }: ScannedFile): string[] =>
  content
    .split('\n')
    .flatMap((text, index) => (text.includes('← here') ? [place({ path, line: index + 1 })] : []))
