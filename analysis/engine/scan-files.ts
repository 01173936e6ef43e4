// Scans files. Files of one language are interpreted together, so that calls between them are followed.

import type { Program } from '../ir.ts'
import type { LanguageModel } from '../language-model.ts'
import { buildFindings, type RawFinding } from '../report/build-findings.ts'
import type { Finding, ScannedFile, ScanReport, SkippedFile, SuppressedFinding } from '../report/finding.ts'
import { maskSnippet } from '../report/mask-snippet.ts'
import type { Hit, Rule } from '../rule.ts'
import { isSql, sqlProblem } from '../sql/sql.ts'
import { grammarFor } from '../syntax/grammars.ts'
import { isThreadUnusable } from '../syntax/parser-crash.ts'
import { parseTree, type SyntaxNode, type SyntaxTree } from '../syntax/tree.ts'
import { findBuiltFiles } from './built-files.ts'
import { type InterpretOptions, interpret, type LoweredFile } from './interpret.ts'
import { hashOf, type ReuseCache } from './reuse-cache.ts'
import { isData, isResource, skipReason } from './skipped-files.ts'
import { type SourceForm, sourceFormOf } from './source-form.ts'
import type { StoredUnit, UnitCache } from './units/run-units.ts'
import { idOf } from './units/state-texts.ts'

export type LanguageRules = { readonly model: LanguageModel; readonly rules: readonly Rule[] }

export type ScanOptions = Omit<InterpretOptions, 'units'> & {
  /** Configuration of the project that another scan reports, such as Java's `.properties`. */
  readonly resources?: readonly ScannedFile[]
  /** Code that the files use and another scan reports. A flow from the files into it is reported here. */
  readonly shared?: readonly ScannedFile[]
  /** Results of earlier scans for the same owner, which this scan uses and adds to. */
  readonly reuse?: {
    readonly owner: string
    readonly files: ReuseCache<LoweredCode>
    readonly units: ReuseCache<StoredUnit>
  }
  /** The paths of copied and compiled files, decided by the whole project. Default: decided by these files. */
  readonly builtFiles?: ReadonlySet<string>
}

/** The result of parsing a file. It depends only on the path and the content. */
export type LoweredCode = { readonly program: Program; readonly reason: string | null }

type LookedFile = ScannedFile & { readonly form: SourceForm | null }

/** The file is not at fault and can be scanned again on another thread. */
export const NOT_REACHED = 'not_reached'

export async function scanFiles(
  files: readonly ScannedFile[],
  languages: readonly LanguageRules[],
  textRules: readonly Rule[],
  options: ScanOptions,
): Promise<ScanReport> {
  const skipped: SkippedFile[] = []
  const raw: RawFinding[] = []
  const known = new Set(languages.map(({ model }) => model.language))
  const { builtFiles = findBuiltFiles(files) } = options
  const looked = files.flatMap((file): LookedFile[] => {
    const form = sourceFormOf(file, known)
    const reason = skipReason(file, form !== null, builtFiles.has(file.path))
    if (reason) skipped.push({ path: file.path, reason })
    return reason === null ? [{ ...file, form }] : []
  })
  for (const file of looked) {
    raw.push(...scanText(file, textRules, skipped))
    const reason = uncoveredReason(file)
    if (reason) skipped.push({ path: file.path, reason })
  }
  const resources = [...looked, ...(options.resources ?? []).filter(isReadable)].filter(({ path }) =>
    isResource(path),
  )
  const shared = (options.shared ?? []).flatMap((file): LookedFile[] => {
    const form = sourceFormOf(file, known)
    return skipReason(file, form !== null, builtFiles.has(file.path)) === null ? [{ ...file, form }] : []
  })
  const sharedPaths = new Set(shared.map(({ path }) => path))
  const isReported = (path: string, hit: Hit) =>
    !sharedPaths.has(path) || (hit.flow?.some((step) => !sharedPaths.has(step.path)) ?? false)
  for (const { model: plain, rules } of languages) {
    const model = plain.withResources?.(resources) ?? plain
    const isOwn = ({ form }: LookedFile) => form?.language === model.language
    const lowered = await lowerAll(looked.filter(isOwn), model, skipped, options)
    if (lowered.length > 0) lowered.push(...(await lowerAll(shared.filter(isOwn), model, [], options)))
    const { hits: reported, incompleteFiles: problems } = interpret(model, rules, lowered, {
      ...options,
      units: unitsFor(model, rules, resources, options),
    })
    for (const [path, reason] of problems) if (!sharedPaths.has(path)) skipped.push({ path, reason })
    for (const { rule, hit, file, functionName: inside, at } of reported)
      if (isReported(file.path, hit)) raw.push({ rule, hit, path: file.path, text: file.text, inside, at })
  }
  const { findings, suppressed } = applySuppressions(buildFindings(raw), [...looked, ...shared])
  return {
    findings,
    suppressed,
    skipped: skipped.sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path))),
    files: looked.length,
    lines: looked.reduce((sum, { content }) => sum + linesIn(content), 0),
  }
}

/** Results of functions depend on the rules, the model with its resources, and the limits. */
function unitsFor(
  model: LanguageModel,
  rules: readonly Rule[],
  resources: readonly ScannedFile[],
  { reuse, budget }: ScanOptions,
): UnitCache | undefined {
  if (!reuse) return undefined
  const read = model.withResources ? resources.flatMap(({ path, content }) => [path, content]) : []
  const parts = [reuse.owner, model.language, String(idOf(rules)), JSON.stringify(budget ?? null), ...read]
  return { scope: hashOf(parts), units: reuse.units }
}

const isReadable = (file: ScannedFile): boolean => skipReason(file, false) === null

/** Why the language rules do not cover the whole file. */
function uncoveredReason(file: LookedFile): string | null {
  if (isSql(file.path)) return sqlProblem(file.content)
  if (file.form === null) return isData(file) ? null : 'unsupported_language'
  return file.form.isOnlyScripts ? 'only_scripts' : null
}

async function lowerAll(
  files: readonly LookedFile[],
  model: LanguageModel,
  skipped: SkippedFile[],
  { onFailure: failed, reuse }: ScanOptions,
): Promise<LoweredFile[]> {
  const lowered: LoweredFile[] = []
  for (const file of files) {
    const { path, content } = file
    const key = reuse && hashOf([reuse.owner, path, content])
    const code = (key && reuse?.files.get(key)) || (await lowerOne(file, model, failed))
    if (typeof code === 'string') {
      skipped.push({ path, reason: code })
      continue
    }
    if (key) reuse?.files.set(key, code, content.length)
    if (code.reason) skipped.push({ path, reason: code.reason })
    lowered.push({ path, text: content, program: code.program })
  }
  return lowered
}

/** The reason if there is no program. A later scan tries again. */
async function lowerOne(
  { path, content, form }: LookedFile,
  model: LanguageModel,
  failed: ScanOptions['onFailure'],
): Promise<LoweredCode | string> {
  // The parser crashed on an earlier file. The remaining files need another thread.
  if (isThreadUnusable()) return NOT_REACHED
  const grammar = await grammarFor(form?.grammarPath ?? path)
  if (grammar === 'unavailable') return 'no_grammar'
  const code = form?.code ?? content
  const tree = parse(grammar, code)
  if (tree === null) return 'too_complex'
  const program = attempt(
    () => model.lower(tree),
    (error) => failed?.(path, error),
  )
  if (!program) return 'failed'
  // A truncated tree is still analyzed, and the file is reported.
  const unread = hasUnreadPart(tree, code) ? 'syntax_errors' : null
  return { program, reason: tree.isTruncated ? 'too_complex' : unread }
}

/** A statement or a call that the parser did not understand can hide a fault. A few other characters cannot. */
const UNREAD_LENGTH_MAX = 60
const CALL = /[\w)\]]\s*\(/

function hasUnreadPart({ root, hasError }: SyntaxTree, code: string): boolean {
  const unreadIn = ({ type, start, end, children }: SyntaxNode): string[] =>
    type === 'ERROR' ? [code.slice(start, end)] : children.flatMap(unreadIn)
  if (!hasError) return false
  const unread = unreadIn(root)
  return unread.some((text) => CALL.test(text)) || unread.join('').length > UNREAD_LENGTH_MAX
}

const parse = (grammar: Exclude<Awaited<ReturnType<typeof grammarFor>>, 'unavailable'>, text: string) =>
  attempt(() => parseTree(grammar, withLineFeeds(text), {})) ?? null

/** The grammars do not end a line at a carriage return alone, as old editors write it. */
const withLineFeeds = (text: string): string => (text.includes('\n') ? text : text.replaceAll('\r', '\n'))

/** Undefined on failure. The caller reports it. */
function attempt<T>(work: () => T, failed?: (error: unknown) => void): T | undefined {
  try {
    return work()
  } catch (error) {
    failed?.(error)
    return undefined
  }
}

function scanText(file: LookedFile, rules: readonly Rule[], skipped: SkippedFile[]): RawFinding[] {
  const { path, content: text, form } = file
  // All rules receive the same event object, because secret rules cache their work by it.
  const event = { path, text, language: form?.language ?? null }
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
