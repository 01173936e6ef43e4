// What is known of an answer while it is read.

import { printablePath } from '../../../kernel/clean-path.ts'
import type { AnswerEnvelope } from '../envelope.ts'
import { type BlockDraft, findReasoning, toBlock } from './block-draft.ts'
import type { AnswerMark, MarkFinder } from './marks.ts'

/** What a model may say at most; the rest is not read, and said so in a warning. */
export const ANSWER_CHARS_MAX = 2 * 1024 * 1024

/** An answer of more blocks than this is none. */
const BLOCKS_MAX = 500

export type Section = 'before' | 'thinking' | 'plan' | 'file' | 'summary' | 'between'

export type ReaderState = {
  readonly find: MarkFinder
  /** All that the model may have read, by path; undefined if it is not known. */
  readonly files: ReadonlyMap<string, string> | undefined
  /** The marks are not those of this run, so nothing else may be doubtful. */
  readonly isStrict: boolean
  section: Section
  /** Where the answer goes on after thinking aloud. */
  resumedSection: Section
  /** The line that has no end yet: its pieces, how much of it was shown, and what of it waits to be shown. */
  linePieces: string[]
  shownCharacters: number
  heldBack: string
  readonly plan: string[]
  readonly summary: string[]
  /** Everything outside files and summary, for answers that are written in another notation. */
  readonly unmarkedLines: string[]
  hasMarks: boolean
  /** Within fenced code of the prose, in which tags are text. */
  isFenced: boolean
  /** A FILE mark within prose. */
  mentionedFile: AnswerMark | undefined
  file: BlockDraft | undefined
  /** There were too many blocks; none of them counts. */
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

/** The next section has begun, or the answer is over: decides what the file comes to. */
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

/** All that was read so far was only thought. */
export function resetAnswer(reading: ReaderState): void {
  const { envelope } = reading
  const lists = [reading.plan, reading.summary, reading.unmarkedLines, envelope.blocks, envelope.broken]
  for (const list of [...lists, envelope.warnings]) list.length = 0
  reading.section = 'before'
  reading.hasMarks = false
  reading.mentionedFile = undefined
  reading.file = undefined
}

/** None of so many blocks is an edit: a file is changed by all that is said about it or by nothing. */
function rejectAllBlocks(reading: ReaderState): void {
  const { envelope } = reading
  envelope.blocks.length = 0
  envelope.broken.length = 0
  envelope.warnings.splice(0, Number.POSITIVE_INFINITY, 'too_many_blocks')
  reading.isRejected = true
}
