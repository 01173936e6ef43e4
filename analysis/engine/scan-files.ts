// Scans files. Files of one language are interpreted together, so that calls between them are followed.

import type { LanguageModel } from '../language-model.ts'
import { buildFindings, type RawFinding } from '../report/build-findings.ts'
import type { Finding, ScannedFile, ScanReport, SkippedFile, SuppressedFinding } from '../report/finding.ts'
import { maskSnippet } from '../report/mask-snippet.ts'
import type { Rule } from '../rule.ts'
import { grammarFor } from '../syntax/grammars.ts'
import { isThreadUnusable } from '../syntax/parser-crash.ts'
import { parseTree } from '../syntax/tree.ts'
import { type InterpretOptions, interpret, type LoweredFile } from './interpret.ts'
import { isUnsupportedCode, languageOf, skipReason } from './skipped-files.ts'

export type LanguageRules = { readonly model: LanguageModel; readonly rules: readonly Rule[] }

export type ScanOptions = InterpretOptions & {
  /** The time limit for the scan. Files not reached are reported as `too_slow`. */
  readonly msMax?: number
}

const PARSE_MS_MAX = 2_000
/** The file is not at fault and can be scanned again on another thread. */
export const NOT_REACHED = 'not_reached'

export async function scanFiles(
  files: readonly ScannedFile[],
  languages: readonly LanguageRules[],
  textRules: readonly Rule[],
  options: ScanOptions,
): Promise<ScanReport> {
  const endMs = performance.now() + (options.msMax ?? Number.POSITIVE_INFINITY)
  const skipped: SkippedFile[] = []
  const raw: RawFinding[] = []
  const looked = files.filter((file) => {
    const reason = skipReason(file)
    if (reason) skipped.push({ path: file.path, reason })
    return reason === null
  })
  for (const file of looked) {
    if (performance.now() < endMs) raw.push(...scanText(file, textRules, skipped))
    else if (languageOf(file.path) === null) skipped.push({ path: file.path, reason: 'too_slow' })
    if (isUnsupportedCode(file)) skipped.push({ path: file.path, reason: 'unsupported_language' })
  }
  for (const { model: plain, rules } of languages) {
    const model = plain.withResources?.(looked) ?? plain
    const own = looked.filter(({ path }) => languageOf(path) === model.language)
    const lowered = await lowerAll(own, model, skipped, { ...options, endMs })
    const { hits: reported, incompleteFiles: problems } = interpret(model, rules, lowered, {
      ...options,
      endMs,
    })
    for (const [path, reason] of problems) skipped.push({ path, reason })
    for (const { rule, hit, file, functionName: inside, at } of reported)
      raw.push({ rule, hit, path: file.path, text: file.text, inside, at })
  }
  const { findings, suppressed } = applySuppressions(buildFindings(raw), looked)
  return {
    findings,
    suppressed,
    skipped: skipped.sort((one, other) => (one.path < other.path ? -1 : 1)),
    files: looked.length,
    lines: looked.reduce((sum, { content }) => sum + linesIn(content), 0),
  }
}

async function lowerAll(
  files: readonly ScannedFile[],
  model: LanguageModel,
  skipped: SkippedFile[],
  { onFailure: failed, endMs }: ScanOptions & { readonly endMs: number },
): Promise<LoweredFile[]> {
  const lowered: LoweredFile[] = []
  for (const { path, content } of files) {
    if (performance.now() > endMs) {
      skipped.push({ path, reason: 'too_slow' })
      continue
    }
    // The parser crashed on an earlier file. The remaining files need another thread.
    if (isThreadUnusable()) {
      skipped.push({ path, reason: NOT_REACHED })
      continue
    }
    const grammar = await grammarFor(path)
    const tree = grammar === 'unavailable' ? null : parse(grammar, content)
    if (tree === null) {
      skipped.push({ path, reason: grammar === 'unavailable' ? 'no_grammar' : 'too_complex' })
      continue
    }
    const program = attempt(
      () => model.lower(tree),
      (error) => failed?.(path, error),
    )
    // A truncated tree is still analyzed, and the file is reported.
    if (tree.isTruncated) skipped.push({ path, reason: 'too_complex' })
    if (program) lowered.push({ path, text: content, program })
    else skipped.push({ path, reason: 'failed' })
  }
  return lowered
}

const parse = (grammar: Exclude<Awaited<ReturnType<typeof grammarFor>>, 'unavailable'>, text: string) =>
  attempt(() => parseTree(grammar, text, { msMax: PARSE_MS_MAX })) ?? null

/** Undefined on failure. The caller reports it. */
function attempt<T>(work: () => T, failed?: (error: unknown) => void): T | undefined {
  try {
    return work()
  } catch (error) {
    failed?.(error)
    return undefined
  }
}

function scanText(file: ScannedFile, rules: readonly Rule[], skipped: SkippedFile[]): RawFinding[] {
  const { path, content: text } = file
  // All rules receive the same event object, because secret rules cache their work by it.
  const event = { path, text, language: languageOf(path) }
  return rules.flatMap((rule) => {
    const found = attempt(() => [rule.on.text?.(event) ?? []].flat())
    if (!found) skipped.push({ path, reason: 'failed' })
    return (found ?? []).map((hit) => ({ rule, hit, path, text, inside: '', at: hit.at }))
  })
}

function applySuppressions(findings: readonly Finding[], files: readonly ScannedFile[]) {
  const comments = new Map(files.map(({ path, content }) => [path, suppressionsIn(content)]))
  const suppressed: SuppressedFinding[] = []
  const kept = findings.filter(({ ruleId, path, line, startLine }) => {
    const all = comments.get(path) ?? []
    const by = all.find(
      (each) => each.ruleId === ruleId && [line - 1, line, startLine - 1, startLine].includes(each.line),
    )
    if (by) suppressed.push({ ruleId, path, line, reason: by.reason })
    return !by
  })
  return { findings: kept, suppressed }
}

function linesIn(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

type Suppression = { readonly ruleId: string; readonly line: number; readonly reason: string }

const REASON_LENGTH_MAX = 200
const COMMENT =
  /(?:\/\/|\/\*|#|<!--|--|\*)[^\n]{0,200}?\bcowrie-ignore[ \t]+([A-Z][A-Z0-9-]{2,40})[ \t]*:[ \t]*([^\n]*)/

/**
 * Finds suppression comments for the same or the next line: `cowrie-ignore RULE-ID: reason`. The reason is
 * required.
 */
function suppressionsIn(text: string): Suppression[] {
  if (!text.includes('cowrie-ignore')) return []
  return text.split('\n').flatMap((written, index) => {
    const [, ruleId, rest] = COMMENT.exec(written) ?? []
    const reason = rest
      ?.replace(/(?:\*\/|-->)\s*$/, '')
      .trim()
      .slice(0, REASON_LENGTH_MAX)
    return ruleId && reason ? [{ ruleId, line: index + 1, reason: maskSnippet(reason) }] : []
  })
}
