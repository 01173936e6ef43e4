import { toyModel, toyRule } from '@cowrie/testkit/analysis/toy-language.ts'
import { expect, test } from 'vitest'
import { scanFiles } from '../engine/scan-files.ts'
import { renderSarif } from './sarif.ts'

const CODE = 'const cmd = input\nrun(cmd)\nrun(cmd) // cowrie-ignore TOY-RUN-01: staff only'

test('a SARIF report has the rules, the results with their flows, and the suppressed findings', async () => {
  const unused = { ...toyRule, id: 'TOY-RUN-02' }
  const files = [
    { path: 'src/a b/#1.ts', content: CODE },
    { path: 'node_modules/x.js', content: '' },
  ]
  const report = await scanFiles(files, [{ model: toyModel, rules: [toyRule] }], [], {})
  const log = renderSarif(report, { rules: [unused, toyRule], version: '3.2.1' })
  const uri = 'src/a%20b/%231.ts'
  expect(log).toMatchObject({ $schema: expect.stringContaining('2.1.0'), version: '2.1.0' })
  const [run] = log.runs
  expect(run.tool.driver).toMatchObject({
    name: 'Cowrie',
    version: '3.2.1',
    informationUri: expect.any(String),
  })
  expect(run.tool.driver.rules).toEqual([
    expect.objectContaining({
      id: 'TOY-RUN-01',
      shortDescription: { text: toyRule.title },
      defaultConfiguration: { level: 'error' },
      properties: {
        tags: ['security', 'external/cwe/cwe-78'],
        precision: 'high',
        'security-severity': '8.0',
      },
    }),
  ])
  const [finding, silenced] = run.results
  expect(finding).toMatchObject({
    ruleId: 'TOY-RUN-01',
    ruleIndex: 0,
    level: 'error',
    locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 2 } } }],
    partialFingerprints: { 'cowrie/v1': report.findings[0]?.fingerprint },
    codeFlows: [
      {
        threadFlows: [{ locations: [{ location: { physicalLocation: { region: { startLine: 1 } } } }, {}] }],
      },
    ],
  })
  expect(silenced).toMatchObject({
    ruleIndex: 0,
    suppressions: [{ kind: 'inSource', justification: 'staff only' }],
  })
  expect(run.invocations[0]?.toolExecutionNotifications).toEqual([
    expect.objectContaining({ message: { text: 'not fully scanned: vendored' } }),
  ])
})

test('an empty report is an empty SARIF log', () => {
  const empty = { findings: [], suppressed: [], skipped: [], files: 0, lines: 0 }
  expect(renderSarif(empty, { rules: [toyRule] }).runs[0]).toMatchObject({
    results: [],
    tool: { driver: { rules: [] } },
  })
})
