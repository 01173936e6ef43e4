// What a run brought, in the words its caller reads.
import type { ReadAnswer } from './answer.ts'
import type { EditFailure, FileEdit } from './edits/edits.ts'
import { editsBetween, withEdits } from './loop/workspace.ts'
import type { Repair } from './repair.ts'
import type { Review } from './review.ts'

export type Outcome = {
  readonly plan: string
  readonly edits: readonly FileEdit[]
  readonly summary: string
  readonly status: 'complete' | 'partial'
  readonly warnings: readonly string[]
  readonly review: Review | null
}

const WARNINGS_MAX = 100

export function outcomeOf(
  files: ReadonlyMap<string, string>,
  first: ReadAnswer,
  repaired: Repair,
  isCut: boolean,
): Outcome {
  const second = repaired.kind === 'done' ? repaired.read : undefined
  const unresolved = unresolvedOf(first, second)
  const dropped = [...first.dropped, ...(second?.dropped ?? [])]
  const warnings = [
    ...first.warnings,
    ...(second?.warnings ?? []),
    ...(isCut ? ['answer_cut'] : []),
    ...(repaired.kind === 'unaffordable' ? ['repair_unaffordable'] : []),
    ...(repaired.kind === 'failed' ? ['repair_failed'] : []),
    ...unresolved.map(({ path, message }) => `not_applied: ${shown(path)}: ${message}`),
  ]
  return {
    plan: first.envelope.plan,
    edits: second ? joined(files, first, second) : first.edits,
    summary: withDropped(first.envelope.summary, dropped),
    status: isCut || unresolved.length > 0 ? 'partial' : 'complete',
    warnings: [...new Set(warnings)].slice(0, WARNINGS_MAX),
    review: null,
  }
}

/** The summary also names what the model wanted to do outside the workspace. */
export function withDropped(summary: string, dropped: ReadAnswer['dropped']): string {
  if (dropped.length === 0) return summary
  const names = dropped
    .slice(0, WARNINGS_MAX)
    .map(({ path, reason }) => `${shown(path)} (${reason.replaceAll('_', ' ')})`)
  return `${summary}${summary === '' ? '' : '\n\n'}Not done, because edits stay inside the workspace and away from protected files: ${names.join(', ')}.`
}

const SHOWN_CHARACTERS = 200

/** A path that may be anything, so that it can be read and does no harm where it is shown. */
export const shown = (path: string): string =>
  JSON.stringify(path.slice(0, SHOWN_CHARACTERS)).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/** Both turns as one change of what the caller sent. */
function joined(files: ReadonlyMap<string, string>, first: ReadAnswer, second: ReadAnswer): FileEdit[] {
  const why = new Map([...first.edits, ...second.edits].map(({ path, description }) => [path, description]))
  return editsBetween(files, withEdits(withEdits(files, first.edits), second.edits), why)
}

/** A repair answers a failure by editing its file, or, where there was no such file, another one. */
function unresolvedOf(first: ReadAnswer, second: ReadAnswer | undefined): EditFailure[] {
  if (!second) return [...first.failures]
  const answered = new Set([...second.edits, ...second.failures].map(({ path }) => path))
  const left = first.failures.filter(
    ({ path, reason }) => !answered.has(path) && !(reason === 'unknown_path' && second.edits.length > 0),
  )
  return [...left, ...second.failures]
}
