// Builds the envelope at the end of the answer.

import type { AnswerEnvelope, Finish } from '../envelope.ts'
import { readForeignAnswer } from '../foreign/foreign-answer.ts'
import type { BlockDraft } from './block-draft.ts'
import type { MarkFinder } from './marks.ts'
import { createOtherMarkFinder } from './marks.ts'
import { closeFile, type ReaderState } from './reader-state.ts'

/** Reads lines again with other marks. */
export type ReadAgain = (lines: readonly string[], find: MarkFinder, finish: Finish) => AnswerEnvelope

/** `isNamed`: the mark of the last file is complete. */
export function finishEnvelope(
  reading: ReaderState,
  finish: Finish,
  isNamed: boolean,
  readAgain: ReadAgain,
): AnswerEnvelope {
  const { envelope, file } = reading
  if (reading.charsLeft === 0) envelope.warnings.push('answer_too_long')
  const isCut = finish !== 'stop' || reading.charsLeft === 0
  const isIncomplete = file && (!isNamed || isUnfinished(file) || (isCut && !isWhole(file)))
  if (isIncomplete && !reading.isRejected) markCutOff(reading, file)
  closeFile(reading)
  envelope.plan = toProse(reading.plan)
  envelope.summary = toProse(reading.summary)
  if (envelope.blocks.length + envelope.broken.length === 0 && !reading.isRejected)
    readOtherNotation(reading, isCut ? 'length' : finish, readAgain)
  envelope.warnings = [...new Set(envelope.warnings)]
  return envelope
}

/** The last part has no END, or the file has no part. Incomplete even if the model says that it finished. */
const isUnfinished = (file: BlockDraft): boolean =>
  file.isOpen || (file.action !== 'delete' && file.parts.length === 0)

/** The last part has its END, or the file needs none, so it is complete without a following mark. */
const isWhole = (file: BlockDraft): boolean =>
  !file.isOpen && (file.action === 'delete' || file.parts.length > 0) && file.parts.at(-1)?.kind !== 'find'

function markCutOff(reading: ReaderState, file: BlockDraft): void {
  reading.envelope.broken.push({ path: file.path, reason: 'cut_off' })
  reading.file = undefined
}

/** No blocks with our marks: try similar marks, then other notations. */
function readOtherNotation(reading: ReaderState, finish: Finish, readAgain: ReadAgain): void {
  const { unmarkedLines, hasMarks, envelope, files } = reading
  const other = hasMarks || !files ? undefined : createOtherMarkFinder(unmarkedLines, files.values())
  if (other) {
    const again = readAgain(unmarkedLines, other, finish)
    Object.assign(envelope, again, {
      warnings: [...envelope.warnings, 'read_as: other_marks', ...again.warnings],
    })
    return
  }
  const foreign = readForeignAnswer(unmarkedLines, finish, hasMarks ? 'diffs' : 'all', files)
  envelope.blocks = foreign.blocks
  envelope.broken = foreign.broken
  if (foreign.blocks.length > 0) envelope.warnings.push(`read_as: ${foreign.notation}`)
  if (hasMarks) return
  // JSON with a summary and an empty list of edits is a valid answer.
  const isFound = foreign.blocks.length > 0 || (foreign.notation === 'json' && foreign.broken.length === 0)
  if (!isFound) envelope.warnings.push('no_edits_parsed')
  envelope.plan = toStorable(foreign.plan ?? '')
  envelope.summary = isFound ? toStorable(foreign.prose.trim()) : toProse(unmarkedLines)
}

/** Trims blank lines and an unpaired closing fence. */
function toProse(lines: readonly string[]): string {
  const text = toStorable(lines.join('\n').trim())
  const fences = lines.filter((line) => line.trimStart().startsWith('```')).length
  return fences % 2 === 1 && text.endsWith('```') ? text.slice(0, -3).trimEnd() : text
}

/** Removes characters that PostgreSQL cannot store. */
const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed()
