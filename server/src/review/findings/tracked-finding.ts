// Hashes of the code around a finding. A verdict holds while that code is unchanged: a person's for the adjacent lines, a
// model's for the enclosing function. Functions are found by indentation, which needs no parser and works in every language.
import { createHash } from 'node:crypto'
import type { Finding, ScannedFile } from '@cowrie/analysis/report/finding.ts'

/** A finding with the hashes that tie verdicts to its code. */
export type TrackedFinding = Finding & {
  /** Equal for the same statement in any place. The corpus stores verdicts under it. */
  readonly caseKey: string
  /** Hash of the adjacent lines. */
  readonly near: string
  /** Hash of the enclosing function and of the lines of its data flow. */
  readonly within: string
}

export type LineRange = { readonly from: number; readonly to: number }

const NEAR_LINES = 2
/** Lines around a finding that is in no function. */
const TOP_LEVEL_LINES = 10
const FUNCTION_LINES_MAX = 400
const LINE_CHARACTERS_MAX = 500

export function trackFindings(findings: readonly Finding[], files: readonly ScannedFile[]): TrackedFinding[] {
  const paths = new Set(findings.flatMap(({ path, flow }) => [path, ...flow.map((step) => step.path)]))
  const texts = new Map(
    files.filter(({ path }) => paths.has(path)).map(({ path, content }) => [path, content.split('\n')]),
  )
  return findings.map((finding) => {
    const lines = texts.get(finding.path) ?? []
    const steps = finding.flow.map(({ path, at }) => normalizeLine(texts.get(path)?.[at.line - 1] ?? ''))
    return {
      ...finding,
      caseKey: hash([finding.ruleId, finding.shape, normalizeLine(finding.snippet)]),
      near: hash(normalizedLines(lines, nearbyRange(lines, finding))),
      within: hash([...normalizedLines(lines, enclosingFunction(lines, finding.line)), ...steps]),
    }
  })
}

/** The outermost function around a line, or a few lines if there is none. */
export function enclosingFunction(lines: readonly string[], line: number): LineRange {
  const head = findFunctionHead(lines, line)
  if (head === null)
    return { from: Math.max(1, line - TOP_LEVEL_LINES), to: Math.min(lines.length, line + TOP_LEVEL_LINES) }
  const edge = indentOf(lines[head - 1] ?? '')
  let to = line
  while (to < lines.length && to - head < FUNCTION_LINES_MAX && !isOutside(lines[to] ?? '', edge)) to++
  return { from: head, to }
}

const HEAD =
  /\bfunction\b|=>|\bdef\s|\bfunc\b|\bfn\b|\)\s*(?::\s*[\w<>[\]|. ]{1,80})?(?:throws\s[\w., ]{1,80})?\s*\{\s*$/
const NOT_A_HEAD = /^\s*(?:\}\s*)?(?:if|else|for|foreach|while|switch|catch|try|do|with|elif|elseif|except)\b/

function findFunctionHead(lines: readonly string[], line: number): number | null {
  let head: number | null = null
  let minIndent = indentOf(lines[line - 1] ?? '') + 1
  for (let at = line; at >= 1 && line - at < FUNCTION_LINES_MAX; at--) {
    const text = (lines[at - 1] ?? '').slice(0, LINE_CHARACTERS_MAX)
    if (text.trim() === '' || indentOf(text) >= minIndent) continue
    minIndent = indentOf(text)
    if (HEAD.test(text) && !NOT_A_HEAD.test(text)) head = at
  }
  return head
}

/** A closing bracket still belongs to its block. */
const isOutside = (text: string, edge: number): boolean =>
  text.trim() !== '' && indentOf(text) <= edge && !/^\s*[})\]]/.test(text)

/** The adjacent lines, limited to the enclosing function. */
function nearbyRange(lines: readonly string[], { startLine, endLine, line }: Finding): LineRange {
  const block = enclosingFunction(lines, line)
  return {
    from: Math.max(block.from, Math.min(startLine, line) - NEAR_LINES),
    to: Math.min(block.to, Math.max(endLine, line) + NEAR_LINES),
  }
}

const normalizedLines = (lines: readonly string[], { from, to }: LineRange): string[] =>
  lines
    .slice(from - 1, to)
    .map(normalizeLine)
    .filter(Boolean)

const indentOf = (text: string): number => text.length - text.trimStart().length

const normalizeLine = (text: string): string =>
  text.slice(0, LINE_CHARACTERS_MAX).replaceAll(/\s+/g, ' ').trim()

const hash = (parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)
