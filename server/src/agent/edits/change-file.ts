// All that an envelope wants of one file, done to its text and checked.
import { applyHunk, without } from './apply-hunk.ts'
import { closestLines } from './closest.ts'
import { elisionIn } from './elision.ts'
import type { Block, Change, Hunk } from './envelope.ts'
import { type EditFailure, type FailureReason, failureOf } from './failures.ts'
import type { EditLimits } from './limits.ts'
import type { SyntaxGate } from './syntax-gate.ts'
import { inMannerOf, linesOf, type TextLines, textOf } from './text-lines.ts'

/** `text` is null for a file that is no more. */
export type ChangedFile = { text: string | null; warnings: string[] }

/** `base` is undefined for a file that was not shown. Returns every reason why the file cannot be changed. */
export async function changeFile(
  path: string,
  base: string | undefined,
  blocks: readonly Block[],
  limits: EditLimits,
  checkSyntax: SyntaxGate,
): Promise<ChangedFile | EditFailure[]> {
  let text: string | null = base ?? null
  for (const block of blocks) {
    const next = changeText(path, text, block)
    if (Array.isArray(next)) return next
    text = next
    if (text !== null && Buffer.byteLength(text) > limits.fileBytesMax)
      return [failureOf(path, 'file_too_large')]
  }
  if (text === null || text === base) return { text, warnings: [] }
  const syntax = await checkSyntax(path, base ?? '', text)
  if (syntax.verdict === 'worse')
    return [failureOf(path, 'syntax', { detail: `The first problem is in line ${syntax.line}.` })]
  return { text, warnings: syntax.verdict === 'unchecked' ? [`syntax_unchecked: ${path}`] : [] }
}

function changeText(
  path: string,
  text: string | null,
  { action, change }: Block,
): string | null | EditFailure[] {
  if (text === null && action !== 'create') return [failureOf(path, 'unknown_path')]
  if (action === 'delete' || change.kind === 'none') return null
  if (change.kind === 'hunks') return changeHunks(path, text ?? '', change.hunks)
  return text === null ? change.body : rewrite(path, text, change)
}

/** The whole text of a file that exists: it keeps its manner, and it must not be a piece taken for the whole. */
function rewrite(
  path: string,
  text: string,
  change: Extract<Change, { kind: 'body' }>,
): string | EditFailure[] {
  const old = linesOf(text)
  const { lines } = linesOf(change.body)
  const removed = without(old.lines, lines)
  const elision = elisionIn(without(lines, old.lines), removed)
  if (elision !== undefined && old.lines.length >= 3)
    return [failureOf(path, 'elision', { detail: quoted(elision) })]
  if (change.isGuess && isFragment(old.lines, removed)) return [failureOf(path, 'fragment')]
  return inMannerOf(old, change.body)
}

/** A guess that drops most of a file that is not tiny is a piece of it. */
const isFragment = (old: readonly string[], removed: readonly string[]): boolean =>
  old.length >= 12 && removed.length * 2 > old.length

/** More hunks than this would be a rewriting; each of them reads the whole file. */
const HUNKS_MAX = 200
/** So many hunks are answered with the lines that they may have meant. */
const CLOSEST_MAX = 5

/** The hunks after one that failed are tried as well, so that a repair hears of all at once. */
function changeHunks(path: string, text: string, hunks: readonly Hunk[]): string | EditFailure[] {
  if (hunks.length > HUNKS_MAX) return [failureOf(path, 'too_many_hunks')]
  let current = linesOf(text)
  const failures: EditFailure[] = []
  for (const hunk of hunks) {
    const applied = applyHunk(current, hunk, path)
    const elision = 'reason' in applied ? undefined : elisionIn(applied.added, applied.removed)
    if ('reason' in applied) failures.push(hunkFailure(path, current, hunk, applied.reason, failures.length))
    else if (elision !== undefined && current.lines.length >= 3)
      failures.push(failureOf(path, 'elision', { detail: quoted(elision) }))
    else current = applied.text
  }
  return failures.length > 0 ? failures : textOf(current)
}

function hunkFailure(
  path: string,
  text: TextLines,
  { find }: Hunk,
  reason: FailureReason,
  earlier: number,
): EditFailure {
  const lines = find.split('\n')
  const first = lines.find((line) => line.trim() !== '')
  return failureOf(path, reason, {
    detail: first === undefined ? undefined : `FIND begins ${quoted(first)}`,
    closest: earlier < CLOSEST_MAX ? closestLines(text.lines, lines) : undefined,
  })
}

const quoted = (line: string): string => `"${line.trim().slice(0, 120)}".`
