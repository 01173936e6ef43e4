import type { ScanReport } from '@cowrie/analysis/report/finding.ts'
import { expect, test } from 'vitest'
import { scan } from '../scan.ts'
import type { ScanTaskInput } from '../scan-task.ts'
import { reuseReport } from './reuse-reports.ts'

const INPUT: ScanTaskInput = {
  files: [{ path: 'a.js', content: 'a()' }],
  resources: [],
  shared: [],
  customRules: [],
  isOnlyCustom: false,
  builtFiles: [],
  owner: 'org_reuse',
}
const REPORT: ScanReport = { findings: [], suppressed: [], skipped: [], files: 1, lines: 1 }

async function isScanned(input: Partial<ScanTaskInput>, report: ScanReport = REPORT): Promise<boolean> {
  let scanned = false
  await reuseReport({ ...INPUT, ...input }, async () => {
    scanned = true
    return report
  })
  return scanned
}

test('a report is reused only for equal input of the same owner', async () => {
  expect(await isScanned({})).toBe(true)
  expect(await isScanned({})).toBe(false)
  const file = { path: 'b.js', content: 'b()' }
  const changes: readonly Partial<ScanTaskInput>[] = [
    { owner: 'org_other' },
    { files: [{ path: 'a.js', content: 'a(1)' }] },
    { files: [{ path: 'b.js', content: 'a()' }] },
    { files: [...INPUT.files, file] },
    { resources: [file] },
    { shared: [file] },
    { isOnlyCustom: true },
    { builtFiles: ['a.js'] },
    { customRules: [{ id: 'ORG-1' }] as unknown as ScanTaskInput['customRules'] },
  ]
  for (const change of changes) expect(await isScanned(change)).toBe(true)
  for (const change of changes) expect(await isScanned(change)).toBe(false)
})

test('a scan without an owner, or with a failure that may pass, is repeated', async () => {
  expect(await isScanned({ owner: null })).toBe(true)
  expect(await isScanned({ owner: null })).toBe(true)
  const failed = { ...REPORT, skipped: [{ path: 'a.js', reason: 'failed' }] }
  expect(await isScanned({ owner: 'org_failed' }, failed)).toBe(true)
  expect(await isScanned({ owner: 'org_failed' })).toBe(true)
})

test('repeated scans of an organisation report the same as the first after each edit', async () => {
  const handler = (name: string) =>
    `const { run } = require('./${name}')\nmodule.exports = (req, res) => run(req.query.command)\n`
  const helper = `const { exec } = require('child_process')\nexports.run = (command) => exec(command)\n`
  const fixed = `exports.run = (command) => String(command)\n`
  const first = [
    { path: 'src/handler.js', content: handler('helper') },
    { path: 'src/helper.js', content: helper },
    { path: 'app.py', content: 'import os\nos.system(input())\n' },
  ]
  const edited = first.with(1, { path: 'src/helper.js', content: fixed })
  const counts: number[] = []
  for (const files of [first, edited, first, first, edited]) {
    const whole = await scan(files, { timeoutMs: 60_000 })
    expect(await scan(files, { timeoutMs: 60_000, owner: 'org_edits' })).toEqual(whole)
    counts.push(whole.findings.length)
  }
  expect(new Set(counts).size).toBe(2)
})
