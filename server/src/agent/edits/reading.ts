// What is known of an answer while it is read.
import { type BlockDraft, blockOf, thoughtIn } from './block-draft.ts'
import type { Envelope } from './envelope.ts'
import type { Mark, MarkFinder } from './marks.ts'
import { printablePath } from './paths.ts'

/** What a model may say at most; the rest is not read, and said so in a warning. */
export const ANSWER_CHARS_MAX = 2 * 1024 * 1024

/** An answer of more blocks than this is none. */
const BLOCKS_MAX = 500

export type Section = 'before' | 'thinking' | 'plan' | 'file' | 'summary' | 'between'

export type Reading = {
  readonly find: MarkFinder
  /** All that the model may have read, by path; undefined if it is not known. */
  readonly files: ReadonlyMap<string, string> | undefined
  /** The marks are not those of this run, so nothing else may be doubtful. */
  readonly isStrict: boolean
  section: Section
  /** Where the answer goes on after thinking aloud. */
  resumed: Section
  /** The line that has no end yet: its pieces, how much of it was shown, and what of it waits to be shown. */
  pieces: string[]
  shown: number
  held: string
  readonly plan: string[]
  readonly summary: string[]
  /** Everything outside files and summary, for answers that are written in another notation. */
  readonly stray: string[]
  hasMarks: boolean
  /** Within fenced code of the prose, in which tags are text. */
  isFenced: boolean
  /** A FILE mark within prose. */
  mentioned: Mark | undefined
  file: BlockDraft | undefined
  /** There were too many blocks; none of them counts. */
  isGivenUp: boolean
  charsLeft: number
  readonly envelope: Envelope
}

export function newReading(
  find: MarkFinder,
  files: ReadonlyMap<string, string> | undefined,
  isStrict = false,
): Reading {
  return {
    find,
    files,
    isStrict,
    section: 'before',
    resumed: 'before',
    pieces: [],
    shown: 0,
    held: '',
    plan: [],
    summary: [],
    stray: [],
    hasMarks: false,
    isFenced: false,
    mentioned: undefined,
    file: undefined,
    isGivenUp: false,
    charsLeft: ANSWER_CHARS_MAX,
    envelope: { plan: '', summary: '', blocks: [], broken: [], warnings: [] },
  }
}

/** The next section has begun, or the answer is over: decides what the file comes to. */
export function closeFile(reading: Reading): void {
  const { file, envelope } = reading
  reading.file = undefined
  if (!file || reading.isGivenUp) return
  const thought = thoughtIn(file)
  if (thought === 'ended') {
    forget(reading)
    return
  }
  if (thought === 'began') {
    reading.resumed = 'between'
    reading.section = 'thinking'
    file.isDamaged = true
  }
  if (file.isOpen) envelope.warnings.push(`end_missing: ${printablePath(file.path)}`)
  const block = blockOf(file)
  if ('reason' in block) envelope.broken.push(block)
  else envelope.blocks.push(block)
  if (envelope.blocks.length + envelope.broken.length > BLOCKS_MAX) giveUp(reading)
}

/** All that was read so far was only thought. */
export function forget(reading: Reading): void {
  const { envelope } = reading
  const lists = [reading.plan, reading.summary, reading.stray, envelope.blocks, envelope.broken]
  for (const list of [...lists, envelope.warnings]) list.length = 0
  reading.section = 'before'
  reading.hasMarks = false
  reading.mentioned = undefined
  reading.file = undefined
}

/** None of so many blocks is an edit: a file is changed by all that is said about it or by nothing. */
function giveUp(reading: Reading): void {
  const { envelope } = reading
  envelope.blocks.length = 0
  envelope.broken.length = 0
  envelope.warnings.splice(0, Number.POSITIVE_INFINITY, 'too_many_blocks')
  reading.isGivenUp = true
}
