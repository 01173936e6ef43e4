// Applies all blocks of one file to its text and checks the result. Yields to other requests between two hunks.
import { setImmediate } from 'node:timers/promises'
import { applyHunk, subtractLines } from './apply-hunk.ts'
import { findClosestLines } from './closest.ts'
import { findElision } from './elision.ts'
import { type EditFailure, type FailureReason, toEditFailure } from './failures.ts'
import {
  type BlockChange,
  type EditHunk,
  type EditLimits,
  type FileBlock,
  LINES_MAX,
  SEARCHED_BYTES_MAX,
  SEARCHED_LINES_MAX,
} from './file-block.ts'
import { updateKeys } from './match/line-keys.ts'
import { countLinesUpTo, joinLines, rewriteInStyle, splitLines, type TextLines } from './match/text-lines.ts'
import { isPathComment } from './path-comment.ts'
import type { SyntaxGate } from './syntax-verdict.ts'
import type { WorkTime } from './work-time.ts'

/** `text` is null for a deleted file. */
export type FileChange = { text: string | null; warnings: string[] }

/** Limits and checks shared by all files of one answer. */
export type ChangeBounds = {
  readonly limits: EditLimits
  readonly time: WorkTime
  readonly checkSyntax: SyntaxGate
}

/** `base` is undefined for a file that the model did not see. Returns every reason why the file cannot be changed. */
export async function changeFile(
  path: string,
  base: string | undefined,
  blocks: readonly FileBlock[],
  { limits, time, checkSyntax }: ChangeBounds,
): Promise<FileChange | EditFailure[]> {
  if (countHunks(blocks) > HUNKS_MAX) return [toEditFailure(path, 'too_many_hunks')]
  let text: string | null = base ?? null
  for (const block of dropRepeats(blocks)) {
    const next = await changeText(path, text, block, time)
    if (Array.isArray(next)) return next
    text = next
    const problem = text === null ? undefined : findProblem(text, limits)
    if (problem) return [toEditFailure(path, problem)]
  }
  if (text === null || text === base) return { text, warnings: [] }
  const syntax = await checkSyntax(path, base ?? '', text)
  if (syntax.verdict === 'worse')
    return [toEditFailure(path, 'syntax', { detail: `The first problem is in line ${syntax.line}.` })]
  return { text, warnings: syntax.verdict === 'unchecked' ? [`syntax_unchecked: ${path}`] : [] }
}

/** A change with more hunks than this should be a rewrite. */
const HUNKS_MAX = 200

const countHunks = (blocks: readonly FileBlock[]): number =>
  blocks.reduce((sum, { change }) => sum + (change.kind === 'hunks' ? change.hunks.length : 1), 0)

/** Drops blocks and hunks that repeat an earlier one exactly. */
function dropRepeats(blocks: readonly FileBlock[]): FileBlock[] {
  const seen = new Set<string>()
  const isNew = (each: unknown) => seen.size < seen.add(JSON.stringify(each)).size
  return blocks.flatMap((block) => {
    const { action, change } = block
    if (change.kind !== 'hunks') return isNew([action, change]) ? [block] : []
    const hunks = change.hunks.filter((hunk) => isNew(hunk))
    return hunks.length === 0 ? [] : [{ ...block, change: { ...change, hunks } }]
  })
}

function findProblem(text: string, limits: EditLimits): FailureReason | undefined {
  if (Buffer.byteLength(text) > limits.fileBytesMax || countLinesUpTo(text, LINES_MAX) > LINES_MAX)
    return 'file_too_large'
  return text.includes('\0') || !text.isWellFormed() ? 'unstorable' : undefined
}

async function changeText(
  path: string,
  text: string | null,
  { action, change }: FileBlock,
  time: WorkTime,
): Promise<string | null | EditFailure[]> {
  if (text === null && action !== 'create') return [toEditFailure(path, 'unknown_path')]
  if (action === 'delete' || change.kind === 'none') return null
  if (change.kind === 'hunks') return changeHunks(path, text ?? '', change.hunks, time)
  if (time.isUp()) return [toEditFailure(path, 'too_costly')]
  return text === null ? change.body : time.spend(() => rewriteFile(path, text, change, action === 'update'))
}

/** Replaces the whole text of an existing file and keeps its line ends. Refuses a fragment. */
function rewriteFile(
  path: string,
  text: string,
  change: Extract<BlockChange, { kind: 'body' }>,
  isUpdate: boolean,
): string | EditFailure[] {
  if (countLinesUpTo(change.body, LINES_MAX) > LINES_MAX || countLinesUpTo(text, LINES_MAX) > LINES_MAX)
    return [toEditFailure(path, 'file_too_large')]
  const old = splitLines(text)
  const { lines } = splitLines(change.body)
  const removed = subtractLines(old.lines, lines)
  const elision = findElision(subtractLines(lines, old.lines), removed)
  if (elision !== undefined && old.lines.length >= 3)
    return [toEditFailure(path, 'elision', { detail: quoteLine(elision) })]
  if ((change.isGuess || isUpdate) && isFragment(old.lines, lines)) return [toEditFailure(path, 'fragment')]
  // The reader took a leading path comment for a heading. Restore it if the file has that comment.
  const head = old.lines[0] ?? ''
  const isHeadless = change.isGuess && isPathComment(head, path) && lines[0] !== head
  return rewriteInStyle(old, isHeadless ? `${head}\n${change.body}` : change.body)
}

/**
 * A new text that drops more than half of a file of 12 lines or more is a fragment. Indentation changes do not count.
 */
function isFragment(old: readonly string[], lines: readonly string[]): boolean {
  const trimmed = (each: readonly string[]) => each.map((line) => line.trim())
  return old.length >= 12 && subtractLines(trimmed(old), trimmed(lines)).length * 2 > old.length
}

/** Only this many failed hunks get the closest lines as a hint. */
const CLOSEST_MAX = 5

/** Later hunks are tried even after a failure, so that one repair turn can fix all of them. */
async function changeHunks(
  path: string,
  text: string,
  hunks: readonly EditHunk[],
  time: WorkTime,
): Promise<string | EditFailure[]> {
  const isLong = countLinesUpTo(text, SEARCHED_LINES_MAX + 1) > SEARCHED_LINES_MAX + 1
  if (isLong || Buffer.byteLength(text) > SEARCHED_BYTES_MAX) return [toEditFailure(path, 'file_too_large')]
  let current = time.spend(() => splitLines(text))
  const failures: EditFailure[] = []
  for (const hunk of hunks) {
    if (time.isUp()) return [...failures, toEditFailure(path, 'too_costly')]
    const next = time.spend(() => changeHunk(path, current, hunk, failures.length < CLOSEST_MAX))
    if ('reason' in next) failures.push(next)
    else current = next
    await setImmediate()
  }
  return failures.length > 0 ? failures : joinLines(current)
}

function changeHunk(
  path: string,
  text: TextLines,
  hunk: EditHunk,
  isHelped: boolean,
): TextLines | EditFailure {
  const applied = applyHunk(text, hunk, path)
  if ('reason' in applied) return hunkFailure(path, text, hunk, applied.reason, isHelped)
  const elision = findElision(applied.added, applied.removed)
  if (elision !== undefined && text.lines.length >= 3)
    return toEditFailure(path, 'elision', { detail: quoteLine(elision) })
  updateKeys(text.lines, applied.text.lines, applied.cut)
  return applied.text
}

function hunkFailure(
  path: string,
  text: TextLines,
  { find }: EditHunk,
  reason: FailureReason,
  isHelped: boolean,
): EditFailure {
  const lines = find.split('\n')
  const first = lines.find((line) => line.trim() !== '')
  return toEditFailure(path, reason, {
    detail: first === undefined ? undefined : `FIND begins ${quoteLine(first)}`,
    closest: isHelped ? findClosestLines(text.lines, lines) : undefined,
  })
}

const quoteLine = (line: string): string => `"${line.trim().slice(0, 120)}".`
