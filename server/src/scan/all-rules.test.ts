import { allRules, languages } from '@cowrie/analysis/all-rules.ts'
import { describe, expect, test } from 'vitest'
import { RuleList, toRuleReply } from './schema.ts'

describe('the rule catalogue', () => {
  test('has unique, well-formed rule ids', () => {
    const ids = allRules.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[A-Z]{2,4}(-[A-Z0-9]+)+$/.test(id))).toEqual([])
  })

  test('describes each rule and its fix in full sentences', () => {
    const short = allRules.filter(
      ({ title, message, fix }) => title.length < 8 || message.length < 20 || fix.length < 10,
    )
    expect(short.map(({ id }) => id)).toEqual([])
  })

  test('lists all rules in the API', () => {
    const shown = { rules: allRules.map(toRuleReply) }
    expect(RuleList.parse(shown)).toEqual(shown)
    expect(shown.rules.every(({ cwe }) => /^CWE-\d+$/.test(cwe))).toBe(true)
  })

  test('has rules for every supported language', () => {
    expect(languages.map(({ model }) => model.language).sort()).toEqual([
      'csharp',
      'dart',
      'go',
      'java',
      'javascript',
      'kotlin',
      'php',
      'python',
      'ruby',
    ])
    for (const { model, rules } of languages)
      expect(
        rules.every((rule) => rule.languages !== 'any text' && rule.languages.includes(model.language)),
      ).toBe(true)
  })
})
