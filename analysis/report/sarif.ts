// Renders a report as SARIF 2.1.0, the format read by code hosts and editors.

import type { Step } from '../abstract-value.ts'
import { allRules } from '../all-rules.ts'
import type { Confidence, Rule, Severity } from '../rule.ts'
import type { Finding, ScanReport, SuppressedFinding } from './finding.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
const HOME = 'https://cowrie.example'
const LEVELS = { error: 'error', warn: 'warning', note: 'note' } as const
const PRECISIONS: Readonly<Record<Confidence, string>> = { high: 'high', medium: 'medium', low: 'low' }
/** On the CVSS scale, which code hosts use to sort. */
const SCORES: Readonly<Record<Severity, string>> = { error: '8.0', warn: '5.0', note: '2.0' }

export type SarifOptions = { readonly rules: readonly Rule[]; readonly version?: string }

/** The report as SARIF, with the rules of the full catalogue. */
export const toSarif = (report: ScanReport, version?: string) =>
  renderSarif(report, { rules: allRules, ...(version !== undefined && { version }) })

export function renderSarif(report: ScanReport, { rules, version = '1.0.0' }: SarifOptions) {
  const reportedRuleIds = new Set([...report.findings, ...report.suppressed].map(({ ruleId }) => ruleId))
  const catalogued = rules.filter(({ id }) => reportedRuleIds.has(id))
  const used = [...catalogued, ...describedByFindings(report.findings, catalogued)]
  const indexes = new Map(used.map(({ id }, index) => [id, index]))
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Cowrie', informationUri: HOME, version, rules: used.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results: [
          ...report.findings.map((finding) => resultOf(finding, indexes)),
          ...report.suppressed.map((each) => suppressedOf(each, rules, indexes)),
        ],
        invocations: [
          { executionSuccessful: true, toolExecutionNotifications: report.skipped.map(notificationOf) },
        ],
      },
    ],
  } as const
}

type RuleDescription = Pick<Rule, 'id' | 'title' | 'message' | 'fix' | 'severity' | 'confidence' | 'cwe'>

/** Rules of organisations are not in the catalogue. Their findings describe them. */
function describedByFindings(findings: readonly Finding[], known: readonly Rule[]): RuleDescription[] {
  const ids = new Set(known.map(({ id }) => id))
  const first = new Map(findings.toReversed().map((finding) => [finding.ruleId, finding]))
  return [...first.values()]
    .filter(({ ruleId }) => !ids.has(ruleId))
    .map(({ ruleId, title, message, fix, severity, confidence, cwe }) => ({
      id: ruleId,
      title,
      message,
      fix,
      severity,
      confidence,
      cwe,
    }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

function ruleOf({ id, title, message, fix, severity, confidence, cwe }: RuleDescription) {
  return {
    id,
    name: id.replaceAll('-', ''),
    shortDescription: { text: title },
    fullDescription: { text: message },
    help: { text: `${message}\n\n${fix}`, markdown: `${message}\n\n**Instead:** ${fix}` },
    helpUri: `https://cwe.mitre.org/data/definitions/${cwe}.html`,
    defaultConfiguration: { level: LEVELS[severity] },
    properties: {
      tags: ['security', `external/cwe/cwe-${cwe}`],
      precision: PRECISIONS[confidence],
      'security-severity': SCORES[severity],
    },
  }
}

function resultOf(finding: Finding, indexes: ReadonlyMap<string, number>) {
  const { ruleId, severity, confidence, message, fix, path, line, flow, fingerprint } = finding
  return {
    ruleId,
    ...indexOf(indexes, ruleId),
    level: LEVELS[severity],
    message: { text: `${message} ${fix}` },
    locations: [{ physicalLocation: physicalLocationOf(path, line, finding.snippet) }],
    partialFingerprints: { primaryLocationLineHash: fingerprint, 'cowrie/v1': fingerprint },
    ...(flow.length > 1 && { codeFlows: [codeFlowOf(flow)] }),
    properties: { precision: PRECISIONS[confidence] },
  }
}

function suppressedOf(
  { ruleId, path, line, reason }: SuppressedFinding,
  rules: readonly Rule[],
  indexes: ReadonlyMap<string, number>,
) {
  const rule = rules.find(({ id }) => id === ruleId)
  return {
    ruleId,
    ...indexOf(indexes, ruleId),
    level: LEVELS[rule?.severity ?? 'note'],
    message: { text: rule?.message ?? ruleId },
    locations: [{ physicalLocation: physicalLocationOf(path, line) }],
    suppressions: [{ kind: 'inSource', status: 'accepted', justification: reason }],
  }
}

const indexOf = (indexes: ReadonlyMap<string, number>, ruleId: string) => {
  const ruleIndex = indexes.get(ruleId)
  return ruleIndex === undefined ? {} : { ruleIndex }
}

const codeFlowOf = (flow: readonly Step[]) => ({
  threadFlows: [
    {
      locations: flow.map(({ path, at, what }) => ({
        location: { physicalLocation: physicalLocationOf(path, at.line), message: { text: what } },
      })),
    },
  ],
})

const physicalLocationOf = (path: string, line: number, snippet?: string) => ({
  artifactLocation: { uri: uriOf(path) },
  region: { startLine: Math.max(1, line), ...(snippet !== undefined && { snippet: { text: snippet } }) },
})

/** Always relative: a colon in the first segment would be read as a scheme. */
const uriOf = (path: string): string =>
  path
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/')
    .replace(/^\/+/, '')

const notificationOf = ({ path, reason }: ScanReport['skipped'][number]) => ({
  level: 'note',
  message: { text: `not fully scanned: ${reason}` },
  locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(path) } } }],
})
