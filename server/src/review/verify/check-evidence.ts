// What a model says counts only as far as the files bear it out. A verdict that cites what is not there proves nothing, and a
// comment that calls itself safe is no guard.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { Verdict } from '../findings/findings-sql.ts'
import { enclosingFunction } from '../findings/located-finding.ts'
import type { Evidence, ModelVerdict } from './parse-verdicts.ts'

/** Lines of what the model was shown, by path. */
export type ShownLines = ReadonlyMap<string, readonly string[]>

export type CheckedVerdict = {
  readonly status: Verdict
  /** Only what was found in the files. */
  readonly evidence: readonly Evidence[]
  /** Why a verdict became unproven; null where it stands as it was said. */
  readonly doubt: string | null
}

/** Quotes may be this many lines off. */
const LINE_TOLERANCE = 2
const QUOTE_LETTERS_MIN = 4

export function checkEvidence(finding: Finding, said: ModelVerdict, shown: ShownLines): CheckedVerdict {
  const found = said.evidence.filter((evidence) => isQuoted(evidence, shown))
  const doubt = findDoubt(finding, said, found, shown)
  return { status: doubt === null ? said.verdict : 'unproven', evidence: found, doubt }
}

function findDoubt(
  finding: Finding,
  { verdict, evidence }: ModelVerdict,
  found: readonly Evidence[],
  shown: ShownLines,
): string | null {
  if (verdict === 'unproven') return null
  if (evidence.length === 0) return 'no evidence was given'
  if (found.length < evidence.length) return 'a quote is not in the file where it was said to be'
  if (verdict === 'refuted') {
    const bars = found.filter((each) => isPrevention(each) && !isComment(each, shown))
    if (bars.length === 0) return 'no guard, constant or unreachable line was pointed to'
    const isBarred = bars.some((each) => each.role !== 'guard' || isOnFlow(each, finding, shown))
    return isBarred ? null : 'the guard is neither before the sink in its function nor on the flow'
  }
  if (!found.some((each) => isAtSink(each, finding))) return 'the sink was not named'
  return hasSource(found, finding) ? null : 'the source was not named'
}

const isPrevention = ({ role }: Evidence): boolean =>
  role === 'guard' || role === 'constant' || role === 'unreachable'

/** A check elsewhere in the file, or after the harm is done, keeps nothing out. */
function isOnFlow(evidence: Evidence, finding: Finding, shown: ShownLines): boolean {
  const { path } = evidence
  const lines = shown.get(path) ?? []
  const line = quotedLine(evidence, lines)
  if (path === finding.path && line > finding.endLine) return false
  if (finding.flow.some((step) => step.path === path && Math.abs(step.at.line - line) <= LINE_TOLERANCE))
    return true
  return path === finding.path && line >= enclosingFunction(lines, finding.line).from
}

/** Where a quote really is, of the lines that it may be in. */
function quotedLine({ line, quote }: Evidence, lines: readonly string[]): number {
  const wanted = normalize(quote.split('\n')[0] ?? '')
  const near = [0, -1, 1, -2, 2].map((off) => line + off)
  return near.find((at) => normalize(lines[at - 1] ?? '').includes(wanted)) ?? line
}

const isAtSink = ({ path, line }: Evidence, finding: Finding): boolean =>
  path === finding.path &&
  line >= finding.startLine - LINE_TOLERANCE &&
  line <= finding.endLine + LINE_TOLERANCE

/** A fault that nothing flows into is its own source; one that does on a single line has both in one quote. */
function hasSource(found: readonly Evidence[], finding: Finding): boolean {
  const steps = finding.flow.filter(({ path, at }) => path !== finding.path || at.line !== finding.line)
  const isStep = ({ path, line }: Evidence) =>
    steps.some((step) => step.path === path && Math.abs(step.at.line - line) <= LINE_TOLERANCE)
  return steps.length === 0 || found.some((each) => each.role === 'source' || isStep(each))
}

function isQuoted({ path, line, quote }: Evidence, shown: ShownLines): boolean {
  const lines = shown.get(path)
  const wanted = normalize(quote)
  if (!lines || wanted.replaceAll(/[^\p{L}\p{N}]/gu, '').length < QUOTE_LETTERS_MIN) return false
  return normalize(linesAround(lines, line, quote).join('\n')).includes(wanted)
}

function isComment({ path, line, quote }: Evidence, shown: ShownLines): boolean {
  const wanted = normalize(quote)
  const holding = linesAround(shown.get(path) ?? [], line, quote).filter((each) => {
    const text = normalize(each)
    return text.length > 0 && (text.includes(wanted) || wanted.includes(text))
  })
  // What code there is of those lines, it has to have a part of.
  return !holding.some((each) => {
    const code = normalize(withoutComment(each))
    return code.replaceAll(/[^\p{L}\p{N}]/gu, '') !== '' && (code.includes(wanted) || wanted.includes(code))
  })
}

const linesAround = (lines: readonly string[], line: number, quote: string): readonly string[] =>
  lines.slice(Math.max(0, line - 1 - LINE_TOLERANCE), line + LINE_TOLERANCE + quote.split('\n').length - 1)

const withoutComment = (line: string): string =>
  /^\s*(\*|\/\*|\/\/|#|<!--|--|""")/.test(line) ? '' : line.replace(/(^|\s)(\/\/|\/\*|#\s).*$/, '')

/** Line numbers as we show them and all spacing do not count. */
const normalize = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\|/, ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
