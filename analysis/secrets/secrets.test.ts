import { examples, hex, join, pem, pemBody } from '@cowrie/testkit/analysis/secret-examples.ts'
import { describe, expect, test } from 'vitest'
import { findSecrets, SECRET_PATTERNS } from '../secret-formats/secrets.ts'
import { SECRET_RULES } from './rules.ts'
import { maskSecrets, secretRules } from './secrets.ts'

const reported = SECRET_PATTERNS.filter(({ rule }) => rule !== undefined)
const rulesIn = (text: string) => findSecrets(text, reported).map(({ pattern }) => pattern.rule)

describe('a secret', () => {
  test.for(SECRET_RULES.map(({ id }) => id))('%s is distinguished from similar text', (id) => {
    const { bad, good } = examples.find(({ rule }) => rule === id) ?? { bad: [], good: [] }
    expect([bad.length >= 3, good.length >= 3]).toEqual([true, true])
    for (const text of bad) expect(rulesIn(text), text).toEqual([id])
    for (const text of good) expect(rulesIn(text), text).toEqual([])
  })

  test('is masked without changing the number or length of lines', () => {
    const text = `a = 1\nkey = '${join('sk_live_', hex(40))}'\n${pem('PRIVATE KEY', pemBody())}end\n`
    const masked = maskSecrets(text)
    expect(masked).toHaveLength(text.length)
    expect(masked.split('\n')).toHaveLength(text.split('\n').length)
    expect(findSecrets(masked)).toEqual([])
    expect(masked).toContain('a = 1')
    expect(masked).not.toContain(hex(20))
  })

  test('is reported on its line by one rule only', () => {
    const event = { path: 'a.env', text: `x\ny=${join('sk_live_', hex(40))}\n`, language: null }
    const hits = secretRules.flatMap((rule) =>
      [rule.on.text?.(event) ?? []].flat().map((hit) => [rule.id, hit.at.line]),
    )
    expect(hits).toEqual([['SEC-PAYSTACK-LIVE', 2]])
  })
})
