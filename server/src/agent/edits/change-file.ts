// All that an envelope wants of one file, done to its text and checked. Others get their turn between two hunks.
import { setImmediate } from 'node:timers/promises'
import { applyHunk, without } from './apply-hunk.ts'
import { closestLines } from './closest.ts'
import { elisionIn } from './elision.ts'
import type { Block, Change, Hunk } from './envelope.ts'
import { type EditFailure, type FailureReason, failureOf } from './failures.ts'
import { carryKeys } from './keyed-lines.ts'
import { type EditLimits, LINES_MAX, SEARCHED_BYTES_MAX, SEARCHED_LINES_MAX } from './limits.ts'
import { isNameComment } from './quoted-text.ts'
import type { SyntaxGate } from './syntax-gate.ts'
import { inMannerOf, lineCount, linesOf, type TextLines, textOf } from './text-lines.ts'
import type { WorkTime } from './work-time.ts'

/** `text` is null for a file that is no more. */
export type ChangedFile = { text: string | null; warnings: string[] }

/** What all files of one answer share. */
export type Bounds = {
  readonly limits: EditLimits
  readonly time: WorkTime
  readonly checkSyntax: SyntaxGate
}

/** `base` is undefined for a file that was not shown. Returns every reason why the file cannot be changed. */
export async function changeFile(
  path: string,
  base: string | undefined,
  blocks: readonly Block[],
  { limits, time, checkSyntax }: Bounds,
): Promise<ChangedFile | EditFailure[]> {
  if (hunksIn(blocks) > HUNKS_MAX) return [failureOf(path, 'too_many_hunks')]
  let text: string | null = base ?? null
  for (const block of distinct(blocks)) {
    const next = await changeText(path, text, block, time)
    if (Array.isArray(next)) return next
    text = next
    const problem = text === null ? undefined : problemOf(text, limits)
    if (problem) return [failureOf(path, problem)]
  }
  if (text === null || text === base) return { text, warnings: [] }
  const syntax = await checkSyntax(path, base ?? '', text)
  if (syntax.verdict === 'worse')
    return [failureOf(path, 'syntax', { detail: `The first problem is in line ${syntax.line}.` })]
  return { text, warnings: syntax.verdict === 'unchecked' ? [`syntax_unchecked: ${path}`] : [] }
}

/** More hunks than this would be a rewriting. */
const HUNKS_MAX = 200

const hunksIn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { change }) => sum + (change.kind === 'hunks' ? change.hunks.length : 1), 0)

/** A block that was written before, word for word, wants nothing new; neither does a hunk within one. */
function distinct(blocks: readonly Block[]): Block[] {
  const seen = new Set<string>()
  const isNew = (each: unknown) => seen.size < seen.add(JSON.stringify(each)).size
  return blocks.flatMap((block) => {
    const { action, change } = block
    if (change.kind !== 'hunks') return isNew([action, change]) ? [block] : []
    const hunks = change.hunks.filter((hunk) => isNew(hunk))
    return hunks.length === 0 ? [] : [{ ...block, change: { ...change, hunks } }]
  })
}

function problemOf(text: string, limits: EditLimits): FailureReason | undefined {
  if (Buffer.byteLength(text) > limits.fileBytesMax || lineCount(text, LINES_MAX) > LINES_MAX)
    return 'file_too_large'
  return text.includes('\0') || !text.isWellFormed() ? 'unstorable' : undefined
}

async function changeText(
  path: string,
  text: string | null,
  { action, change }: Block,
  time: WorkTime,
): Promise<string | null | EditFailure[]> {
  if (text === null && action !== 'create') return [failureOf(path, 'unknown_path')]
  if (action === 'delete' || change.kind === 'none') return null
  if (change.kind === 'hunks') return changeHunks(path, text ?? '', change.hunks, time)
  if (time.isUp()) return [failureOf(path, 'too_costly')]
  return text === null ? change.body : time.spend(() => rewrite(path, text, change, action === 'update'))
}

/** The whole text of a file that exists: it keeps its manner, and it must not be a piece taken for the whole. */
function rewrite(
  path: string,
  text: string,
  change: Extract<Change, { kind: 'body' }>,
  isUpdate: boolean,
): string | EditFailure[] {
  if (lineCount(change.body, LINES_MAX) > LINES_MAX || lineCount(text, LINES_MAX) > LINES_MAX)
    return [failureOf(path, 'file_too_large')]
  const old = linesOf(text)
  const { lines } = linesOf(change.body)
  const removed = without(old.lines, lines)
  const elision = elisionIn(without(lines, old.lines), removed)
  if (elision !== undefined && old.lines.length >= 3)
    return [failureOf(path, 'elision', { detail: quoted(elision) })]
  if ((change.isGuess || isUpdate) && isFragment(old.lines, lines)) return [failureOf(path, 'fragment')]
  // A comment with the name of the file was taken for a heading; where the file has it, it was none.
  const head = old.lines[0] ?? ''
  const isHeadless = change.isGuess && isNameComment(head, path) && lines[0] !== head
  return inMannerOf(old, isHeadless ? `${head}\n${change.body}` : change.body)
}

/** A text that drops most of a file that is not tiny is a piece of it. Another indentation drops nothing. */
function isFragment(old: readonly string[], lines: readonly string[]): boolean {
  const trimmed = (each: readonly string[]) => each.map((line) => line.trim())
  return old.length >= 12 && without(trimmed(old), trimmed(lines)).length * 2 > old.length
}

/** So many hunks are answered with the lines that they may have meant. */
const CLOSEST_MAX = 5

/** The hunks after one that failed are tried as well, so that a repair hears of all at once. */
async function changeHunks(
  path: string,
  text: string,
  hunks: readonly Hunk[],
  time: WorkTime,
): Promise<string | EditFailure[]> {
  const isLong = lineCount(text, SEARCHED_LINES_MAX + 1) > SEARCHED_LINES_MAX + 1
  if (isLong || Buffer.byteLength(text) > SEARCHED_BYTES_MAX) return [failureOf(path, 'file_too_large')]
  let current = time.spend(() => linesOf(text))
  const failures: EditFailure[] = []
  for (const hunk of hunks) {
    if (time.isUp()) return [...failures, failureOf(path, 'too_costly')]
    const next = time.spend(() => changeHunk(path, current, hunk, failures.length < CLOSEST_MAX))
    if ('reason' in next) failures.push(next)
    else current = next
    await setImmediate()
  }
  return failures.length > 0 ? failures : textOf(current)
}

function changeHunk(path: string, text: TextLines, hunk: Hunk, isHelped: boolean): TextLines | EditFailure {
  const applied = applyHunk(text, hunk, path)
  if ('reason' in applied) return hunkFailure(path, text, hunk, applied.reason, isHelped)
  const elision = elisionIn(applied.added, applied.removed)
  if (elision !== undefined && text.lines.length >= 3)
    return failureOf(path, 'elision', { detail: quoted(elision) })
  carryKeys(text.lines, applied.text.lines, applied.cut)
  return applied.text
}

function hunkFailure(
  path: string,
  text: TextLines,
  { find }: Hunk,
  reason: FailureReason,
  isHelped: boolean,
): EditFailure {
  const lines = find.split('\n')
  const first = lines.find((line) => line.trim() !== '')
  return failureOf(path, reason, {
    detail: first === undefined ? undefined : `FIND begins ${quoted(first)}`,
    closest: isHelped ? closestLines(text.lines, lines) : undefined,
  })
}

const quoted = (line: string): string => `"${line.trim().slice(0, 120)}".`
