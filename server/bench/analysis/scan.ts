// Quality and speed of the rule catalogue: on its examples and on installed packages, in CPU time.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages, textRules } from '@cowrie/analysis/all-rules.ts'
import { scanFiles } from '@cowrie/analysis/engine/scan-files.ts'
import type { ScannedFile, ScanReport } from '@cowrie/analysis/report/finding.ts'
import { type RuleExample, readRuleExamples } from '@cowrie/testkit/analysis/rule-examples.ts'
import { examples as secretExamples } from '@cowrie/testkit/analysis/secret-examples.ts'
import { batchesOf } from '../../src/scan/batches/batches.ts'

export type ScanQuality = {
  readonly area: string
  readonly bad: number
  readonly good: number
  readonly found: number
  readonly falseAlarms: number
}

export type ScanSpeed = { readonly name: string; readonly bytes: number; readonly cpuSeconds: number }

export type ScanBenchReport = {
  readonly quality: readonly ScanQuality[]
  readonly healthy: {
    readonly files: number
    readonly lines: number
    readonly findings: readonly string[]
    readonly unread: number
  }
  readonly speeds: readonly ScanSpeed[]
}

const HEALTHY_BYTES = { full: 2_000_000, quick: 300_000 }
const SPEED_BYTES = { full: 400_000, quick: 80_000 }
const INSTALLED = join(import.meta.dirname, '../../../node_modules')

export async function measureScan(quick: boolean): Promise<ScanBenchReport> {
  const size = quick ? 'quick' : 'full'
  const labelled = [...readRuleExamples(), ...readSecretExamples()]
  const quality = await qualityOf(labelled)
  const files = healthyFiles(HEALTHY_BYTES[size])
  const healthy = await timed('javascript, installed', files)
  const speeds = [healthy.speed]
  for (const [area, own] of Map.groupBy(labelled, ({ area }) => area)) {
    if (area === 'secrets') continue
    speeds.push((await timed(`${area}, examples`, repeated(own, SPEED_BYTES[size]))).speed)
  }
  return { quality, healthy: healthOf(healthy.reports), speeds }
}

const readSecretExamples = (): RuleExample[] =>
  secretExamples.flatMap(({ rule, bad, good }) =>
    [...bad, ...good].map((content, index) => ({
      rule,
      area: 'secrets',
      name: `${rule}-${index}`,
      isBad: index < bad.length,
      files: [{ path: 'src/example.ts', content }],
    })),
  )

async function qualityOf(labelled: readonly RuleExample[]): Promise<ScanQuality[]> {
  const areas = new Map<string, ScanQuality>()
  for (const { rule, area, isBad, files } of labelled) {
    const { findings } = await scanFiles(files, languages, textRules, {})
    const isHit = findings.some(({ ruleId }) => ruleId === rule)
    const before = areas.get(area) ?? { area, bad: 0, good: 0, found: 0, falseAlarms: 0 }
    areas.set(area, {
      area,
      bad: before.bad + Number(isBad),
      good: before.good + Number(!isBad),
      found: before.found + Number(isBad && isHit),
      falseAlarms: before.falseAlarms + Number(!isBad && isHit),
    })
  }
  return [...areas.values()]
}

/** Files of widely used packages. Nested node_modules are skipped. */
function healthyFiles(bytesMax: number): ScannedFile[] {
  const paths = globSync('{*,@*/*}/{lib,src}/**/*.{js,cjs,mjs,ts}', { cwd: INSTALLED })
  const files: ScannedFile[] = []
  const lengths = new Map<string, number>()
  let bytes = 0
  for (const path of paths.filter((each) => !/node_modules|\.d\.[cm]?ts$|\.min\./.test(each)).sort()) {
    const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
    const content = readFileSync(join(INSTALLED, path), 'utf8')
    const length = (lengths.get(name) ?? 0) + content.length
    // Limits each package, so that one large package does not fill the sample.
    if (length > PACKAGE_BYTES_MAX || bytes + content.length > bytesMax) continue
    lengths.set(name, length)
    files.push({ path, content })
    bytes += content.length
  }
  return files
}

const PACKAGE_BYTES_MAX = 60_000

/** Repeats the examples, each time in a new folder, until there is enough to measure. */
function repeated(labelled: readonly RuleExample[], bytesMax: number): ScannedFile[] {
  const files: ScannedFile[] = []
  let bytes = 0
  for (let round = 0; bytes < bytesMax; round++) {
    const before = bytes
    for (const [index, { files: own }] of labelled.entries()) {
      for (const { path, content } of own) {
        files.push({ path: `example-${round}-${index}/${path}`, content })
        bytes += content.length
      }
    }
    if (bytes === before) break
  }
  return files
}

/** Scans twice and measures the second time: in production the scanning threads are warm. */
async function timed(name: string, files: readonly ScannedFile[]) {
  await scanAll(files)
  const before = process.cpuUsage()
  const reports = await scanAll(files)
  const { user, system } = process.cpuUsage(before)
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0)
  return { reports, speed: { name, bytes, cpuSeconds: (user + system) / 1e6 } satisfies ScanSpeed }
}

async function scanAll(files: readonly ScannedFile[]): Promise<ScanReport[]> {
  const reports: ScanReport[] = []
  for (const { files: batch, resources } of batchesOf(files))
    reports.push(await scanFiles(batch, languages, textRules, { resources }))
  return reports
}

function healthOf(reports: readonly ScanReport[]): ScanBenchReport['healthy'] {
  const findings = reports.flatMap((report) => report.findings)
  return {
    files: reports.reduce((sum, { files }) => sum + files, 0),
    lines: reports.reduce((sum, { lines }) => sum + lines, 0),
    findings: findings.map(({ ruleId, path, line }) => `${ruleId} ${path}:${line}`),
    unread: reports.flatMap(({ skipped }) => skipped).filter(({ reason }) => UNREAD.has(reason)).length,
  }
}

/** Skip reasons that are our limits, not properties of the file. */
const UNREAD: ReadonlySet<string> = new Set(['too_complex', 'too_slow', 'failed', 'no_grammar'])
