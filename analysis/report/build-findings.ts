// Turns the hits of the rules into findings with messages, fingerprints and one finding per fault.
import { createHash } from 'node:crypto'
import { isTestCode } from '../engine/skipped-files.ts'
import type { Confidence, Hit, Rule, Severity } from '../rule.ts'
import type { SourceRange } from '../syntax/tree.ts'
import type { Finding } from './finding.ts'
import { maskSnippet } from './mask-snippet.ts'

export type RawFinding = {
  readonly rule: Rule
  readonly hit: Hit
  readonly path: string
  readonly text: string
  /** The name of the enclosing function. */
  readonly inside: string
  /** The expression or statement that the rule inspected. */
  readonly at: SourceRange
}

const SNIPPET_LENGTH_MAX = 200
const STATEMENT_LINES_MAX = 12
const HASH_LENGTH = 32
const SEVERITIES: readonly Severity[] = ['note', 'warn', 'error']
const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high']

export function buildFindings(raw: readonly RawFinding[]): Finding[] {
  const occurrences = new Map<string, number>()
  const findings = raw
    .toSorted((one, other) => compareLocations(locationOf(one), locationOf(other)))
    .map((each) => buildFinding(each, occurrences))
  return keepMostConfident(findings)
}

const locationOf = ({ rule, hit, path }: RawFinding) => ({ path, line: hit.at.line, ruleId: rule.id })

function compareLocations(one: Pick<Finding, 'path' | 'line' | 'ruleId'>, other: typeof one): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1
  if (one.line !== other.line) return one.line - other.line
  return one.ruleId < other.ruleId ? -1 : one.ruleId > other.ruleId ? 1 : 0
}

function buildFinding(
  { rule, hit, path, text, inside, at }: RawFinding,
  counted: Map<string, number>,
): Finding {
  const statement = statementAround(text, hit.at, at)
  const written = text.slice(statement.start, statement.end).replace(/\s+/g, ' ').trim()
  const key = [rule.id, path, inside, written].join('\n')
  const occurrence = (counted.get(key) ?? 0) + 1
  counted.set(key, occurrence)
  const flow = hit.flow ?? []
  return {
    ruleId: rule.id,
    title: rule.title,
    cwe: rule.cwe,
    severity: severityOf(rule, hit, path),
    confidence: hit.confidence ?? rule.confidence,
    path,
    line: hit.at.line,
    startLine: statement.line,
    endLine: statement.endLine,
    message: hit.detail ? `${maskSnippet(hit.detail)} ${rule.message}` : rule.message,
    fix: rule.fix,
    snippet: snippetOf(text, hit.at, rule.languages === 'any text'),
    flow: flow.map(({ path: file, at: place, what }) => ({ path: file, at: place, what: maskSnippet(what) })),
    fingerprint: hash([key, String(occurrence)]),
    shape: hash([rule.id, shapeOf(written), ...flow.map(({ what }) => shapeOf(what))]),
  }
}

/**
 * One step lower in test code, unless the rule also applies to tests. No finding is dropped because of its
 * path.
 */
function severityOf(rule: Rule, hit: Hit, path: string): Severity {
  const severity = hit.severity ?? rule.severity
  if (rule.isForTests || !isTestCode(path)) return severity
  return SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)] ?? severity
}

/** The inspected statement if it contains the hit and is short, otherwise the hit itself. */
function statementAround(text: string, hit: SourceRange, at: SourceRange): SourceRange {
  const isAround = at.start <= hit.start && hit.end <= at.end && at.endLine - at.line < STATEMENT_LINES_MAX
  if (isAround) return at
  if (hit.endLine - hit.line < STATEMENT_LINES_MAX) return hit
  const end = text.indexOf('\n', hit.start)
  return { ...hit, end: end === -1 ? text.length : end, endLine: hit.line }
}

/** Longer lines are cut before they are searched for secrets. */
const LINE_LENGTH_MAX = 2_000

/** `isSecret`: the hit itself is the secret, so it is masked. */
function snippetOf(text: string, { start, end }: SourceRange, isSecret: boolean): string {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', start)
  const to = Math.min(next === -1 ? text.length : next, from + LINE_LENGTH_MAX)
  const line = isSecret
    ? `${text.slice(from, start)}${text.slice(start, start + 4)}…${text.slice(Math.min(end, to), to)}`
    : text.slice(from, to)
  return maskSnippet(line.trim()).slice(0, SNIPPET_LENGTH_MAX)
}

/** Replaces names and literals, which differ between occurrences of the same fault. */
const shapeOf = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '"')
    .replace(/\b\d[\w.]*/g, '0')
    .replace(/[A-Za-z_$][\w$]*/g, 'x')

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, HASH_LENGTH)

/** Keeps the finding with the highest confidence of each weakness (CWE) per line. */
function keepMostConfident(findings: readonly Finding[]): Finding[] {
  const best = new Map<string, Finding>()
  for (const finding of findings) {
    const key = `${finding.path}\n${finding.line}\n${finding.cwe}`
    const before = best.get(key)
    if (!before || weight(finding) > weight(before)) best.set(key, finding)
  }
  return findings.filter(
    (finding) => best.get(`${finding.path}\n${finding.line}\n${finding.cwe}`) === finding,
  )
}

const weight = ({ confidence, severity }: Finding): number =>
  CONFIDENCES.indexOf(confidence) * SEVERITIES.length + SEVERITIES.indexOf(severity)
