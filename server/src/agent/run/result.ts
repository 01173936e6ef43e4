// Builds the result of a run for the caller.

import type { EditFailure } from '@cowrie/workspace/edits/failures.ts'
import type { FileEdit } from '../edits/apply/apply.ts'
import { NO_EDITS, type ParsedAnswer, quotePath } from './answer.ts'
import type { RepairResult } from './repair.ts'
import type { EditReview } from './review.ts'
import { applyEdits, diffWorkspaces } from './workspace.ts'

export type RunOutcome = {
  readonly plan: string
  readonly edits: readonly FileEdit[]
  readonly summary: string
  readonly status: 'complete' | 'partial'
  readonly warnings: readonly string[]
  readonly review: EditReview | null
  /** The run intended edits and made none, so it is free. */
  readonly isFree: boolean
  /** The run was stopped before its end. */
  readonly isCancelled: boolean
}

/** The outcome of a run that was stopped before anything was delivered. */
export const STOPPED_OUTCOME: RunOutcome = {
  plan: '',
  edits: [],
  summary: 'The run was stopped. No file was changed. Nothing was charged.',
  status: 'partial',
  warnings: ['not_charged'],
  review: null,
  isFree: true,
  isCancelled: true,
}

const WARNINGS_MAX = 100
const NOT_CHARGED = 'not_charged'

export type AnswerEnd = {
  readonly isCut: boolean
  readonly isOrdered: boolean
  readonly isCancelled: boolean
}

/** `isCut`: the first answer is incomplete. `isOrdered`: the caller's budget or a stop by the caller cut it. */
export function toRunOutcome(
  files: ReadonlyMap<string, string>,
  first: ParsedAnswer,
  repaired: RepairResult,
  { isCut, isOrdered, isCancelled }: AnswerEnd,
): RunOutcome {
  const second = repaired.kind === 'done' ? repaired.read : undefined
  const unresolved = findUnresolved(first, second)
  const dropped = [...first.dropped, ...(second?.dropped ?? [])]
  const edits = second ? combineEdits(files, first, second) : first.edits
  const isIdle = edits.length === 0 && first.intendsEdits
  const isFree = isIdle && !isOrdered
  // If the first answer could not be parsed, its plan and summary are not used either.
  const { plan, summary } = (first.unparsedText !== null && second ? second : first).envelope
  const warnings = [
    ...first.warnings,
    ...(second?.warnings ?? []),
    ...(isCut ? ['answer_cut'] : []),
    ...(repaired.kind === 'unaffordable' ? ['repair_unaffordable'] : []),
    ...(repaired.kind === 'failed' ? ['repair_failed'] : []),
    ...(first.unparsedText !== null && !second ? [NO_EDITS] : []),
    ...(isFree ? [NOT_CHARGED] : []),
    ...unresolved.map(toNotAppliedWarning),
  ]
  return {
    // A free result contains only our own text.
    plan: isFree ? '' : plan,
    edits,
    summary: buildSummary({ summary, edits, unresolved, dropped, isIdle, isFree }),
    status: isCut || isIdle || unresolved.length > 0 ? 'partial' : 'complete',
    warnings: [...new Set(warnings)].slice(0, WARNINGS_MAX),
    review: null,
    isFree,
    isCancelled,
  }
}

export const toNotAppliedWarning = ({ path, message }: EditFailure): string =>
  `not_applied: ${quotePath(path)}: ${message}`

export type SummaryInput = {
  /** The model's summary. */
  readonly summary: string
  readonly edits: readonly FileEdit[]
  readonly unresolved: readonly EditFailure[]
  readonly dropped: ParsedAnswer['dropped']
  /** Edits were intended and none was made. */
  readonly isIdle: boolean
  readonly isFree: boolean
}

/**
 * The model's summary, unless an edit was refused or none was made: the model could not know that, so ours replaces
 * it.
 */
export function buildSummary({ summary, edits, unresolved, dropped, isIdle, isFree }: SummaryInput): string {
  const refused = new Set([...unresolved, ...dropped].map(({ path }) => path)).size
  if (!isIdle && refused === 0) return summary
  return [
    isIdle
      ? `No file was changed.${isFree ? ' Nothing was charged.' : ''}`
      : `Partial result: ${edits.length} changed, ${refused} not changed.`,
    isIdle && refused === 0 && UNPARSED,
    unresolved.length > 0 && `Not applied:\n${toList(unresolved.map(refusalLine))}`,
    dropped.length > 0 &&
      `Not done, because edits stay inside the workspace and away from protected files: ${droppedNames(dropped)}.`,
    edits.length > 0 && `Changed:\n${toList(edits.map(editLine))}`,
  ]
    .filter((part) => part !== false)
    .join('\n\n')
}

const UNPARSED =
  'The model’s answer held no change that could be applied. Ask again, name the files to change, or ask for less at once.'

const LISTED_MAX = 20

const toList = (lines: readonly string[]): string =>
  [
    ...lines.slice(0, LISTED_MAX),
    ...(lines.length > LISTED_MAX ? [`- and ${lines.length - LISTED_MAX} more`] : []),
  ].join('\n')

const refusalLine = ({ path, message }: EditFailure): string => `- ${quotePath(path)}: ${message}`
const editLine = ({ path, description }: FileEdit): string => `- ${quotePath(path)}: ${description}`

const droppedNames = (dropped: ParsedAnswer['dropped']): string =>
  dropped
    .slice(0, WARNINGS_MAX)
    .map(({ path, reason }) => `${quotePath(path)} (${reason.replaceAll('_', ' ')})`)
    .join(', ')

/** Combines both turns into one change of the original files. */
function combineEdits(
  files: ReadonlyMap<string, string>,
  first: ParsedAnswer,
  second: ParsedAnswer,
): FileEdit[] {
  const why = new Map([...first.edits, ...second.edits].map(({ path, description }) => [path, description]))
  return diffWorkspaces(files, applyEdits(applyEdits(files, first.edits), second.edits), why)
}

/** A repair resolves a failure by editing its file or, for an unknown path, any file. */
function findUnresolved(first: ParsedAnswer, second: ParsedAnswer | undefined): EditFailure[] {
  if (!second) return [...first.failures]
  const answered = new Set([...second.edits, ...second.failures].map(({ path }) => path))
  const left = first.failures.filter(
    ({ path, reason }) => !answered.has(path) && !(reason === 'unknown_path' && second.edits.length > 0),
  )
  return [...left, ...second.failures]
}
