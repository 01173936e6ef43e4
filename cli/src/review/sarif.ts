// Merges SARIF 2.1.0 logs of the service, and reads their findings.
import type { ScanFinding } from '@cowrie/sdk'
import { isRecord } from '../system/state-file.ts'

export type Finding = Pick<ScanFinding, 'path' | 'line' | 'severity' | 'ruleId' | 'message'>

type Rule = Record<string, unknown> & { id: string }
type Result = Record<string, unknown> & { ruleId: string; level: string; message: { text: string } }
type Run = Record<string, unknown> & {
  tool: { driver: Record<string, unknown> & { rules: Rule[] } }
  results: Result[]
}
export type SarifLog = Record<string, unknown> & { version: '2.1.0'; runs: Run[] }

export const isSarif = (value: unknown): value is SarifLog =>
  isRecord(value) &&
  value.version === '2.1.0' &&
  Array.isArray(value.runs) &&
  value.runs.every((run) => isRecord(run) && isRecord(run.tool) && Array.isArray(run.results))

/** One run with all rules and results: code hosts accept one run per tool. */
export function mergeLogs(logs: readonly SarifLog[]): SarifLog {
  const [first] = logs
  const run = first?.runs[0]
  if (!first || !run) return NOTHING
  const runs = logs.flatMap((log) => log.runs)
  const rules = [
    ...new Map(runs.flatMap(({ tool }) => tool.driver.rules).map((rule) => [rule.id, rule])).values(),
  ]
  const paths = new Map(rules.map(({ id }, index) => [id, index]))
  const results = runs
    .flatMap((each) => each.results)
    .map((result) => ({ ...result, ruleIndex: paths.get(result.ruleId) ?? -1 }))
  return { ...first, runs: [{ ...run, tool: { driver: { ...run.tool.driver, rules } }, results }] }
}

/** For a scan without files. */
const NOTHING: SarifLog = {
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'Cowrie', rules: [] } }, results: [] }],
}

const SEVERITIES: Readonly<Record<string, Finding['severity']>> = {
  error: 'error',
  warning: 'warn',
  note: 'note',
}

/** Findings that are not suppressed in the code. */
export const findingsIn = ({ runs }: SarifLog): Finding[] =>
  runs
    .flatMap(({ results }) => results)
    .filter(({ suppressions }) => suppressions === undefined)
    .map(({ ruleId, level, message, locations }) => ({
      ...placeIn(locations),
      severity: SEVERITIES[level] ?? 'note',
      ruleId,
      message: message.text,
    }))

function placeIn(locations: unknown): { path: string; line: number } {
  const [first]: unknown[] = Array.isArray(locations) ? locations : []
  const place = isRecord(first) && isRecord(first.physicalLocation) ? first.physicalLocation : {}
  const { artifactLocation, region } = place
  const uri = isRecord(artifactLocation) ? artifactLocation.uri : undefined
  const line = isRecord(region) ? region.startLine : undefined
  return {
    path: typeof uri === 'string' ? decodeURIComponent(uri) : '',
    line: typeof line === 'number' ? line : 1,
  }
}
