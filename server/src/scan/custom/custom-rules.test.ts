// Rules that an organisation writes for its own code.
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const YAML = `id: ORG-CARD-01
title: A card number is written to the audit log
severity: error
cwe: 532
languages: [javascript]
message: The audit log is readable by all staff.
fix: Mask the number with maskCard first.
flow:
  from: [acme.readCard]
  to:
    - call: acme.audit
      arguments: [0]
  sanitizers: [maskCard]
`
const CODE =
  "const acme = require('acme')\nacme.audit(acme.readCard())\nacme.audit(maskCard(acme.readCard()))\n"
const FILES = [{ path: 'pay.js', content: CODE }]

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.person()
})
afterAll(() => server.close())

const put = (yaml: string, body: object = {}, id = 'ORG-CARD-01', as = ada) =>
  server.call('PUT', `/review/custom-rules/${id}`, { as, body: { yaml, ...body } })
const scanLines = async (as = ada) => {
  const { body } = await server.call<{ findings: { ruleId: string; line: number }[] }>(
    'POST',
    '/review/scan',
    {
      as,
      body: { files: FILES },
    },
  )
  return body.findings.map(({ ruleId, line }) => `${ruleId}:${line}`)
}

test('a rule is stored, used in scans, disabled, listed and removed', async () => {
  expect(await scanLines()).toEqual([])
  expect(await put(YAML)).toMatchObject({
    status: 200,
    body: { id: 'ORG-CARD-01', enabled: true, valid: true },
  })
  expect(await scanLines()).toEqual(['ORG-CARD-01:2'])
  expect(await put(YAML, { enabled: false })).toMatchObject({ body: { enabled: false } })
  expect(await scanLines()).toEqual([])
  const listed = await server.call('GET', '/review/custom-rules', { as: ada })
  expect(listed.body).toMatchObject({ rules: [{ id: 'ORG-CARD-01', yaml: YAML, enabled: false }] })
  const remove = () => server.call('DELETE', '/review/custom-rules/ORG-CARD-01', { as: ada })
  expect(await remove()).toMatchObject({ status: 200 })
  expect(await remove()).toMatchObject({ status: 404 })
})

test('a rule belongs to one organisation, and only admins change it', async () => {
  const other = await server.person()
  await put(YAML, {}, 'ORG-CARD-01', other)
  expect(await scanLines(other)).toEqual(['ORG-CARD-01:2'])
  expect(await scanLines()).toEqual([])
})

test('a dry run uses only the given rule, and stores nothing', async () => {
  const faulty = `${CODE}require('child_process').exec('ls ' + request.query.x)\n`
  const reply = await server.call('POST', '/review/custom-rules/test', {
    as: ada,
    body: {
      yaml: YAML,
      files: [
        { path: 'pay.js', content: faulty },
        { path: 'logo.js', content: '\u0000' },
      ],
    },
  })
  expect(reply).toMatchObject({
    status: 200,
    body: {
      findings: [{ ruleId: 'ORG-CARD-01', line: 2, cwe: 'CWE-532', severity: 'error', flow: [{ line: 2 }] }],
      skipped: [{ path: 'logo.js', reason: 'binary' }],
      files: 1,
      omitted: 0,
    },
  })
  expect((await server.call('GET', '/review/custom-rules', { as: ada })).body).toEqual({ rules: [] })
})

test('the findings of a rule are described in SARIF', async () => {
  await put(YAML)
  const { text } = await server.call('POST', '/review/scan', {
    as: ada,
    body: { files: FILES },
    headers: { accept: 'application/sarif+json' },
  })
  const [run] = JSON.parse(text).runs
  expect(run.tool.driver.rules).toMatchObject([{ id: 'ORG-CARD-01' }])
  expect(run.results).toMatchObject([{ ruleId: 'ORG-CARD-01', ruleIndex: 0 }])
})

describe('a rule is refused with the reason', () => {
  test.for([
    [YAML.replace('severity: error', 'severity: fatal'), 'severity'],
    [YAML.replace('ORG-CARD-01', 'JS-CMD-01'), 'id: must look like ORG-PAY-01'],
    [YAML.replace('ORG-CARD-01', 'ORG-CARD-02'), 'must be ORG-CARD-01'],
    [YAML.replace('[acme.readCard]', '[*.card]'), 'line 9: put values that begin with * in quotes'],
    [YAML.replace('[acme.readCard]', '["(a+)+$"]'), 'flow.from.0'],
    [YAML.replace('languages: [javascript]', 'languages: any'), 'must have text'],
    [YAML.replace(/flow:[\s\S]*$/, ''), 'exactly one of call, flow and text'],
    [YAML.replace(/flow:[\s\S]*$/, 'text: "***"'), 'at least 3 characters'],
    [
      YAML.replace(/flow:[\s\S]*$/, 'call:\n  name: eval\n  where:\n    - is: 1\n'),
      'either argument or option',
    ],
    [`${YAML}regex: x`, 'the rule: must not have the key "regex"'],
    ['- a', 'the rule: must be an object'],
    [YAML.replace(/title: .*/, 'title: x'), 'title: must have at least 3 characters'],
    [YAML.replace(/cwe: .*\n/, ''), 'cwe: is required'],
    [YAML.replace('[javascript]', 'cobol'), 'languages.0: must be one of javascript, '],
  ] as const)('%j', async ([yaml, reason]) => {
    const { status, text } = await put(yaml)
    expect([status, text]).toEqual([400, expect.stringContaining(JSON.stringify(reason).slice(1, -1))])
  })
})

test('an organisation has at most fifty rules', async () => {
  const other = await server.person()
  const ids = Array.from({ length: 51 }, (_, index) => `ORG-N-${index}`)
  const statuses = []
  for (const id of ids) statuses.push((await put(YAML.replace('ORG-CARD-01', id), {}, id, other)).status)
  expect(statuses).toEqual([...Array(50).fill(200), 409])
  expect(await put(YAML.replace('ORG-CARD-01', 'ORG-N-7'), {}, 'ORG-N-7', other)).toMatchObject({
    status: 200,
  })
})
