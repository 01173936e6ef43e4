// The state of an envelope reader.

import { printablePath } from '@cowrie/workspace/paths/clean-path.ts'
import type { AnswerEnvelope } from '../envelope.ts'
import { type BlockDraft, findReasoning, toBlock } from './block-draft.ts'
import type { AnswerMark, MarkFinder } from './marks.ts'

/** The longest answer that is read. The rest is dropped with a warning. */
export const ANSWER_CHARS_MAX = 2 * 1024 * 1024

/** An answer with more blocks is rejected. */
const BLOCKS_MAX = 500

export type Section = 'before' | 'thinking' | 'plan' | 'file' | 'summary' | 'between'

export type ReaderState = {
  readonly find: MarkFinder
  /** All files that the model may have read, by path; undefined if unknown. */
  readonly files: ReadonlyMap<string, string> | undefined
  /** The marks have another nonce, so every other doubt makes a block invalid. */
  readonly isStrict: boolean
  section: Section
  /** The section that continues after reasoning. */
  resumedSection: Section
  /** The unfinished line: its pieces, the number of characters shown, and the text held back. */
  linePieces: string[]
  shownCharacters: number
  heldBack: string
  readonly plan: string[]
  readonly summary: string[]
  /** Everything outside files and summary, for answers in other notations. */
  readonly unmarkedLines: string[]
  hasMarks: boolean
  /** Inside fenced code of the prose, where tags are text. */
  isFenced: boolean
  /** A FILE mark inside prose. */
  mentionedFile: AnswerMark | undefined
  file: BlockDraft | undefined
  /** There were too many blocks, so none counts. */
  isRejected: boolean
  charsLeft: number
  readonly envelope: AnswerEnvelope
}

export function createReaderState(
  find: MarkFinder,
  files: ReadonlyMap<string, string> | undefined,
  isStrict = false,
): ReaderState {
  return {
    find,
    files,
    isStrict,
    section: 'before',
    resumedSection: 'before',
    linePieces: [],
    shownCharacters: 0,
    heldBack: '',
    plan: [],
    summary: [],
    unmarkedLines: [],
    hasMarks: false,
    isFenced: false,
    mentionedFile: undefined,
    file: undefined,
    isRejected: false,
    charsLeft: ANSWER_CHARS_MAX,
    envelope: { plan: '', summary: '', blocks: [], broken: [], warnings: [] },
  }
}

/** Finishes the current file at the next section or at the end of the answer. */
export function closeFile(reading: ReaderState): void {
  const { file, envelope } = reading
  reading.file = undefined
  if (!file || reading.isRejected) return
  const thought = findReasoning(file)
  if (thought === 'ended') {
    resetAnswer(reading)
    return
  }
  if (thought === 'began') {
    reading.resumedSection = 'between'
    reading.section = 'thinking'
    file.isDamaged = true
  }
  if (file.isOpen) envelope.warnings.push(`end_missing: ${printablePath(file.path)}`)
  const block = toBlock(file)
  if ('reason' in block) envelope.broken.push(block)
  else envelope.blocks.push(block)
  if (envelope.blocks.length + envelope.broken.length > BLOCKS_MAX) rejectAllBlocks(reading)
}

/** Discards everything read so far: it was reasoning. */
export function resetAnswer(reading: ReaderState): void {
  const { envelope } = reading
  const lists = [reading.plan, reading.summary, reading.unmarkedLines, envelope.blocks, envelope.broken]
  for (const list of [...lists, envelope.warnings]) list.length = 0
  reading.section = 'before'
  reading.hasMarks = false
  reading.mentionedFile = undefined
  reading.file = undefined
}

/** With too many blocks none counts: a file gets all of its blocks or none. */
function rejectAllBlocks(reading: ReaderState): void {
  const { envelope } = reading
  envelope.blocks.length = 0
  envelope.broken.length = 0
  envelope.warnings.splice(0, Number.POSITIVE_INFINITY, 'too_many_blocks')
  reading.isRejected = true
}
