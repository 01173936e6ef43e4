// Rules that an organisation wrote.
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { describe, expect, test } from 'vitest'
import { languages, textRules } from '../all-rules.ts'
import { scanFiles } from '../engine/scan-files.ts'
import { withCustomRules } from './compile.ts'
import type { CustomRule } from './custom-rule.ts'
import { matchesGlob } from './glob.ts'

const BASE = {
  id: 'ACME-X-01',
  title: 'A rule of Acme',
  severity: 'error',
  confidence: 'high',
  cwe: 200,
  languages: ['javascript', 'python', 'java', 'go', 'php'],
  message: 'Acme does not do this.',
  fix: 'Do it another way.',
} as const

async function linesOf(files: Record<string, string>, ...rules: CustomRule[]) {
  const { languages: all, textRules: texts } = withCustomRules({ languages, textRules }, rules)
  const given = Object.entries(files).map(([path, content]) => ({ path, content }))
  const { findings } = await scanFiles(given, all, texts, {})
  return findings.map(({ ruleId, path, line }) => `${ruleId} ${path}:${line}`)
}

describe('a rule about calls', () => {
  test.for([
    ['a.js', "import { legacyPay } from '@acme/pay'\nlegacyPay(1)\n"],
    ['a.py', 'import acme\nacme.legacyPay(1)\n'],
    ['A.java', 'class A { void f(Client c) {\nc.legacyPay(1);\n} }\n'],
    ['a.go', 'package a\nfunc f(c *Client) { c.legacyPay(1) }\n'],
    ['a.php', '<?php\n$this->client->legacyPay(1);\n'],
    ['b.js', 'function legacyPay() {}\nlegacyPay()\n'],
  ] as const)('matches names in every language: %s', async ([path, content]) => {
    const rule = { ...BASE, call: { name: ['legacyPay', '*.legacyPay'], where: [] } }
    expect(await linesOf({ [path]: content }, rule)).toEqual([`ACME-X-01 ${path}:2`])
  })

  test('matches only when all conditions about arguments hold', async () => {
    const where = [
      { argument: 0, like: 'http://*' },
      { option: 'retries', missing: true },
      { option: 'verify', is: false },
    ]
    const rule = { ...BASE, call: { name: ['acme.send'], where } }
    const content = [
      "const acme = require('acme')",
      "acme.send('http://x', { verify: false })",
      "acme.send('http://' + host, { verify: false })",
      "acme.send('https://x', { verify: false })",
      "acme.send('http://x', { verify: false, retries: 2 })",
      "acme.send('http://x', { verify: true })",
      "other.send('http://x', { verify: false })",
    ].join('\n')
    expect(await linesOf({ 'a.js': content }, rule)).toEqual(['ACME-X-01 a.js:2', 'ACME-X-01 a.js:3'])
  })
})

describe('a rule about flows', () => {
  const flow = {
    from: ['acme.readCard', '*.cardNumber'],
    to: [{ call: 'acme.audit', arguments: [0] }],
    sanitizers: ['maskCard', 'acme.mask'],
  }
  const rule = { ...BASE, flow }

  test('follows named sources to named calls, through variables, functions and files', async () => {
    const files = {
      'a.js':
        "const acme = require('acme')\nconst { log } = require('./b')\nlog('card ' + acme.readCard())\n",
      'b.js': "const acme = require('acme')\nexports.log = (text) => {\n  acme.audit(text)\n}\n",
      'c.js': "const acme = require('acme')\nfunction f(order) { acme.audit(order.cardNumber) }\n",
    }
    expect(await linesOf(files, rule)).toEqual(['ACME-X-01 b.js:3', 'ACME-X-01 c.js:2'])
  })

  test('reports nothing after a sanitizer, in another argument, or from another source', async () => {
    const content = [
      "const acme = require('acme')",
      'const maskCard = (text) => text',
      'acme.audit(maskCard(acme.readCard()))',
      'acme.audit(acme.mask(acme.readCard()))',
      "acme.audit('x', acme.readCard())",
      'module.exports = (req) => acme.audit(req.query.x)',
    ].join('\n')
    expect(await linesOf({ 'a.js': content }, rule)).toEqual([])
  })

  test('starts at the request without further sources', async () => {
    const fromRequest = { ...BASE, flow: { ...flow, from: ['request'], sanitizers: [] } }
    const content = "const acme = require('acme')\nmodule.exports = (req) => acme.audit(req.query.x)\n"
    expect(await linesOf({ 'a.js': content }, fromRequest)).toEqual(['ACME-X-01 a.js:2'])
  })

  test('does not make its sources count for other rules', async () => {
    const content =
      "const acme = require('acme')\nrequire('child_process').exec('ls ' + acme.readCard())\nacme.audit(acme.readCard())\n"
    const other = { ...BASE, id: 'ACME-X-02', flow: { ...flow, from: ['acme.readName'] } }
    expect(await linesOf({ 'a.js': content }, rule, other)).toEqual(['ACME-X-01 a.js:3'])
  })
})

describe('a rule about texts', () => {
  test('matches string constants of its languages', async () => {
    const rule = { ...BASE, text: ['*.internal.acme.example*'] }
    const content = "// x.internal.acme.example\nconst a = 'https://x.internal.acme.example/pay'\n"
    expect(await linesOf({ 'a.js': content, 'a.md': content }, rule)).toEqual(['ACME-X-01 a.js:2'])
  })

  test('matches lines of any file', async () => {
    const rule = { ...BASE, languages: 'any' as const, text: ['FROM acme-base:1.*'] }
    expect(await linesOf({ Dockerfile: 'FROM acme-base:1.2\n', 'a.md': 'FROM acme-base:2.0' }, rule)).toEqual(
      ['ACME-X-01 Dockerfile:1'],
    )
  })
})

test.for([
  ['a*c', 'abc', true],
  ['a*c', 'ab', false],
  ['*', '', true],
  ['ab*ba', 'aba', false],
  ['*a*a*a*', 'xaxax', false],
  ['', '', true],
] as const)('the glob %j matches %j: %s', ([glob, text, isMatch]) => {
  expect(matchesGlob(glob, text)).toBe(isMatch)
})

test('a glob with many stars is fast', () => {
  const match = () => expect(matchesGlob('*a'.repeat(100), `${'a'.repeat(100_000)}b`)).toBe(false)
  expect(measureCost(match)).toBeLessThan(1_000)
})
