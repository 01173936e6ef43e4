// Checks the evidence of a model's verdict against the files. A quote that is not in the file proves nothing, and a comment that
// claims safety is not a guard.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { Verdict } from '../findings/findings-sql.ts'
import { enclosingFunction } from '../findings/tracked-finding.ts'
import type { ModelVerdict, VerdictEvidence } from './parse-verdicts.ts'

/** The lines that the model saw, by path. */
export type ShownLines = ReadonlyMap<string, readonly string[]>

export type CheckedVerdict = {
  readonly status: Verdict
  /** Only the quotes that occur in the files. */
  readonly evidence: readonly VerdictEvidence[]
  /** Why the verdict was changed to unproven; null when it stands. */
  readonly doubt: string | null
}

/** The line number of a quote may be off by this many lines. */
const LINE_TOLERANCE = 2
const QUOTE_LETTERS_MIN = 4

export function checkEvidence(finding: Finding, verdict: ModelVerdict, shown: ShownLines): CheckedVerdict {
  const found = verdict.evidence.filter((evidence) => isQuoted(evidence, shown))
  const doubt = findDoubt(finding, verdict, found, shown)
  return { status: doubt === null ? verdict.verdict : 'unproven', evidence: found, doubt }
}

function findDoubt(
  finding: Finding,
  { verdict, evidence }: ModelVerdict,
  found: readonly VerdictEvidence[],
  shown: ShownLines,
): string | null {
  if (verdict === 'unproven') return null
  if (evidence.length === 0) return 'no evidence was given'
  if (found.length < evidence.length) return 'a quote is not at the stated place in the file'
  if (verdict === 'refuted') {
    const preventions = found.filter((each) => isPrevention(each) && !isComment(each, shown))
    if (preventions.length === 0) return 'no guard, constant or unreachable line was cited'
    const isPrevented = preventions.some((each) => each.role !== 'guard' || isOnFlow(each, finding, shown))
    return isPrevented ? null : 'the guard is neither before the sink in its function nor on the data flow'
  }
  if (!found.some((each) => isAtSink(each, finding))) return 'the sink was not cited'
  return hasSource(found, finding) ? null : 'the source was not cited'
}

const isPrevention = ({ role }: VerdictEvidence): boolean =>
  role === 'guard' || role === 'constant' || role === 'unreachable'

/** A guard in another function, or after the sink, prevents nothing. */
function isOnFlow(evidence: VerdictEvidence, finding: Finding, shown: ShownLines): boolean {
  const { path } = evidence
  const lines = shown.get(path) ?? []
  const line = quotedLine(evidence, lines)
  if (path === finding.path && line > finding.endLine) return false
  if (finding.flow.some((step) => step.path === path && Math.abs(step.at.line - line) <= LINE_TOLERANCE))
    return true
  return path === finding.path && line >= enclosingFunction(lines, finding.line).from
}

/** The line that contains the quote, within the tolerance. */
function quotedLine({ line, quote }: VerdictEvidence, lines: readonly string[]): number {
  const quoted = normalize(quote.split('\n')[0] ?? '')
  const near = [0, -1, 1, -2, 2].map((off) => line + off)
  return near.find((at) => normalize(lines[at - 1] ?? '').includes(quoted)) ?? line
}

const isAtSink = ({ path, line }: VerdictEvidence, finding: Finding): boolean =>
  path === finding.path &&
  line >= finding.startLine - LINE_TOLERANCE &&
  line <= finding.endLine + LINE_TOLERANCE

/** A finding without a data flow is its own source. On a single line, one quote covers source and sink. */
function hasSource(found: readonly VerdictEvidence[], finding: Finding): boolean {
  const steps = finding.flow.filter(({ path, at }) => path !== finding.path || at.line !== finding.line)
  const isStep = ({ path, line }: VerdictEvidence) =>
    steps.some((step) => step.path === path && Math.abs(step.at.line - line) <= LINE_TOLERANCE)
  return steps.length === 0 || found.some((each) => each.role === 'source' || isStep(each))
}

function isQuoted({ path, line, quote }: VerdictEvidence, shown: ShownLines): boolean {
  const lines = shown.get(path)
  const quoted = normalize(quote)
  if (!lines || quoted.replaceAll(/[^\p{L}\p{N}]/gu, '').length < QUOTE_LETTERS_MIN) return false
  return normalize(linesAround(lines, line, quote).join('\n')).includes(quoted)
}

function isComment({ path, line, quote }: VerdictEvidence, shown: ShownLines): boolean {
  const quoted = normalize(quote)
  const quotedLines = linesAround(shown.get(path) ?? [], line, quote).filter((each) => {
    const text = normalize(each)
    return text.length > 0 && (text.includes(quoted) || quoted.includes(text))
  })
  // The quote must contain some of the code in these lines.
  return !quotedLines.some((each) => {
    const code = normalize(withoutComment(each))
    return code.replaceAll(/[^\p{L}\p{N}]/gu, '') !== '' && (code.includes(quoted) || quoted.includes(code))
  })
}

const linesAround = (lines: readonly string[], line: number, quote: string): readonly string[] =>
  lines.slice(Math.max(0, line - 1 - LINE_TOLERANCE), line + LINE_TOLERANCE + quote.split('\n').length - 1)

const withoutComment = (line: string): string =>
  /^\s*(\*|\/\*|\/\/|#|<!--|--|""")/.test(line) ? '' : line.replace(/(^|\s)(\/\/|\/\*|#\s).*$/, '')

/** Removes the line numbers of excerpts and collapses whitespace. */
const normalize = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\|/, ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
