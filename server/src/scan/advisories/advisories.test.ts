// Dependencies with known faults are reported by scans, from the advisories of the operator.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAdvisoryFiles, readAdvisories } from './read-advisories.ts'

const record = (id: string, name: string, fixed: string) => ({
  id,
  summary: `A fault of ${name}`,
  database_specific: { severity: 'CRITICAL' },
  affected: [
    {
      package: { ecosystem: 'npm', name },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
})

const folder = mkdtempSync(join(tmpdir(), 'cowrie-advisories-'))
mkdirSync(join(folder, 'npm'))
writeFileSync(join(folder, 'npm', 'one.json'), JSON.stringify(record('GHSA-1', 'lodash', '4.17.12')))
writeFileSync(join(folder, 'list.json'), JSON.stringify([record('GHSA-2', 'minimist', '1.2.6')]))
writeFileSync(
  join(folder, 'lines.jsonl'),
  `${JSON.stringify(record('GHSA-3', 'left', '2.0.0'))}\n${JSON.stringify(record('GHSA-4', 'right', '2.0.0'))}\n`,
)
writeFileSync(join(folder, 'broken.json'), '{"id": ')
writeFileSync(join(folder, 'README.md'), 'not an advisory')

let server: TestServer
let ada: Person
beforeAll(async () => {
  server = await startTestServer({ variables: { SERVICE_ADVISORIES: folder } })
  ada = await server.person()
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const LOCK = JSON.stringify(
  {
    packages: {
      'node_modules/lodash': { version: '4.17.11' },
      'node_modules/minimist': { version: '1.2.6' },
    },
  },
  null,
  2,
)

test('a folder of records, lists and lines is read, and broken files are named', async () => {
  const { index, records, unreadable } = await readAdvisories(await listAdvisoryFiles(folder))
  expect([records, [...index.keys()].sort()]).toEqual([
    4,
    ['npm left', 'npm lodash', 'npm minimist', 'npm right'],
  ])
  expect(unreadable).toEqual([join(folder, 'broken.json')])
})

test('a scan reports a dependency with its fixed version, also as SARIF', async () => {
  const body = { files: [{ path: 'web/package-lock.json', content: LOCK }] }
  const reply = await server.call('POST', '/review/scan', { as: ada, body })
  expect(reply).toMatchObject({
    status: 200,
    body: {
      findings: [
        {
          ruleId: 'DEP-VULN-01',
          path: 'web/package-lock.json',
          line: 4,
          severity: 'error',
          cwe: 'CWE-1395',
          fix: 'Upgrade lodash to 4.17.12 or later.',
        },
      ],
      skipped: [],
      summary: { files: 1 },
    },
  })
  const sarif = await server.call('POST', '/review/scan', {
    as: ada,
    body,
    headers: { accept: 'application/sarif+json' },
  })
  expect(JSON.parse(sarif.text).runs[0].tool.driver.rules).toMatchObject([{ id: 'DEP-VULN-01' }])
  expect(server.logged.join('')).toContain('scan.advisories.unreadable')
})

test('a lock file that cannot be parsed is named', async () => {
  const body = { files: [{ path: 'package-lock.json', content: `<<<<<<< HEAD\n${LOCK}` }] }
  expect((await server.call('POST', '/review/scan', { as: ada, body })).body).toMatchObject({
    findings: [],
    skipped: [{ path: 'package-lock.json', reason: 'syntax_errors' }],
  })
})

test('with a diff, only dependencies on changed lines are reported', async () => {
  const diff = (line: number, text: string) =>
    `--- a/package-lock.json\n+++ b/package-lock.json\n@@ -${line} +${line} @@\n-x\n+${text}\n`
  const found = async (line: number) => {
    const { body } = await server.call<{ findings: object[] }>('POST', '/review/scan', {
      as: ada,
      body: {
        files: [{ path: 'package-lock.json', content: LOCK }],
        diff: diff(line, LOCK.split('\n')[line - 1] ?? ''),
      },
    })
    return body.findings.length
  }
  expect([await found(4), await found(7)]).toEqual([1, 0])
})

test('the catalogue lists the rule', async () => {
  const { body } = await server.call<{ rules: { id: string }[] }>('GET', '/review/rules', { as: ada })
  expect(body.rules.map(({ id }) => id)).toContain('DEP-VULN-01')
})
