import { expect, test } from 'vitest'
import { scansOf } from './batches.ts'
import { findingsIn, isSarif, mergeLogs, type SarifLog } from './sarif.ts'

const log = (rules: string[], results: { ruleId: string; [field: string]: unknown }[]): SarifLog => ({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'Cowrie', rules: rules.map((id) => ({ id })) } },
      results: results.map((each) => ({ level: 'warning', message: { text: 'x' }, ruleIndex: 0, ...each })),
    },
  ],
})

test('several logs are merged into one run, and each result keeps its rule', () => {
  const { runs } = mergeLogs([
    log(['A', 'B'], [{ ruleId: 'A' }]),
    log(['C', 'A'], [{ ruleId: 'C' }, { ruleId: 'A' }]),
  ])
  expect(runs).toHaveLength(1)
  const rules = runs[0]?.tool.driver.rules.map(({ id }) => id) ?? []
  expect(rules).toEqual(['A', 'B', 'C'])
  expect(runs[0]?.results.map(({ ruleIndex }) => rules[Number(ruleIndex)])).toEqual(['A', 'C', 'A'])
  expect(isSarif(mergeLogs([]))).toBe(true)
})

test('suppressed results are not counted', () => {
  const place = { physicalLocation: { artifactLocation: { uri: 'a%20b.js' }, region: { startLine: 7 } } }
  const found = findingsIn(
    log(
      ['A'],
      [
        { ruleId: 'A', locations: [place] },
        { ruleId: 'A', suppressions: [{ kind: 'inSource' }] },
      ],
    ),
  )
  expect(found).toEqual([{ path: 'a b.js', line: 7, severity: 'warn', ruleId: 'A', message: 'x' }])
})

test('files are sent in as few requests as possible', () => {
  const files = ['a', 'b', 'c', 'd'].map((path) => ({ path, content: 'x'.repeat(50) }))
  expect(scansOf(files, { count: 3 }).map((scan) => scan.length)).toEqual([3, 1])
  expect(scansOf(files, { bytes: 160 }).map((scan) => scan.length)).toEqual([2, 2])
  expect(scansOf([])).toEqual([])
})
