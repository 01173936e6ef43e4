// Reads the envelope while it arrives, line by line. Text of PLAN and SUMMARY may be shown at once; a file counts only
// when its end has come.
import type { Nonce } from '../markers.ts'
import { addLine, type BlockDraft, beginPart, blockOf, isUntouched, newDraft } from './block-draft.ts'
import type { Envelope, Finish } from './envelope.ts'
import { readFileMark } from './file-mark.ts'
import { readForeignAnswer } from './foreign-answer.ts'
import { createMarkFinder, holdBackFrom, MARK_LINE_CHARS_MAX, type Mark, type MarkFinder } from './marks.ts'

export type EnvelopeReader = {
  /** Takes the next piece of the answer and returns what of it may be shown: prose of the plan and the summary. */
  push(text: string): string
  end(finish: Finish): Envelope
}

/** What a model may say at most; the rest is not read, and said so in a warning. */
export const ANSWER_CHARS_MAX = 8 * 1024 * 1024

export function createEnvelopeReader(nonce: Nonce): EnvelopeReader {
  const reading = newReading(createMarkFinder(nonce))
  return {
    push: (text) => push(reading, text),
    end: (finish) => end(reading, finish),
  }
}

export function readEnvelope(text: string, nonce: Nonce, finish: Finish): Envelope {
  const reader = createEnvelopeReader(nonce)
  reader.push(text)
  return reader.end(finish)
}

type Section = 'before' | 'thinking' | 'plan' | 'file' | 'summary' | 'between'

type Reading = {
  readonly find: MarkFinder
  section: Section
  /** The line that has no end yet: its pieces, how much of it was shown, and what of it waits to be shown. */
  pieces: string[]
  shown: number
  held: string
  readonly plan: string[]
  readonly summary: string[]
  /** Everything outside files and summary, for answers that are written in another notation. */
  readonly stray: string[]
  hasMarks: boolean
  file: BlockDraft | undefined
  charsLeft: number
  readonly envelope: Envelope
}

function newReading(find: MarkFinder): Reading {
  return {
    find,
    section: 'before',
    pieces: [],
    shown: 0,
    held: '',
    plan: [],
    summary: [],
    stray: [],
    hasMarks: false,
    file: undefined,
    charsLeft: ANSWER_CHARS_MAX,
    envelope: { plan: '', summary: '', blocks: [], broken: [], warnings: [] },
  }
}

/** Costs no more than the piece is long, however long its line grows. */
function push(reading: Reading, text: string): string {
  const taken = text.slice(0, reading.charsLeft)
  reading.charsLeft -= taken.length
  const [first = '', ...rest] = taken.split('\n')
  let shown = ''
  let piece = first
  for (const next of rest) {
    shown += readLine(reading, lineWith(reading, piece), '\n')
    piece = next
  }
  reading.pieces.push(piece)
  return shown + showPiece(reading, piece)
}

/** The line that ends with this piece. */
function lineWith(reading: Reading, piece: string): string {
  const line = [...reading.pieces, piece].join('').replace(/\r$/, '')
  reading.pieces = []
  reading.held = ''
  return line
}

/** What of an unfinished line of prose cannot become a mark any more. */
function showPiece(reading: Reading, piece: string): string {
  if (!isProse(reading.section)) return ''
  reading.held += piece
  const isLong = reading.shown + reading.held.length > MARK_LINE_CHARS_MAX
  const safe = isLong ? reading.held.length : holdBackFrom(reading.held, reading.shown === 0)
  // The return that belongs to an end of line is not known as such before the line has ended.
  const shown = reading.held.slice(0, safe).replace(/\r+$/, '')
  reading.held = reading.held.slice(shown.length)
  reading.shown += shown.length
  return shown
}

const isProse = (section: Section): boolean => section === 'plan' || section === 'summary'

/** Returns what of the line may be shown. */
function readLine(reading: Reading, line: string, lineEnd: string): string {
  const { shown } = reading
  reading.shown = 0
  const found = reading.section === 'thinking' ? undefined : reading.find(line)
  if (!found || !isExpected(reading, found.mark)) return keepLine(reading, line, shown, lineEnd)
  const before = found.before.trim() === '' ? '' : keepLine(reading, found.before, shown, lineEnd)
  takeMark(reading, found.mark)
  return before + (found.after.trim() === '' ? '' : keepLine(reading, found.after, 0, lineEnd))
}

/** The inner marks mean something only within a file; elsewhere somebody talks about them. */
const isExpected = ({ file }: Reading, { word }: Mark): boolean =>
  file !== undefined || word === 'PLAN' || word === 'FILE' || word === 'SUMMARY' || word === 'END'

function keepLine(reading: Reading, line: string, shown: number, lineEnd: string): string {
  if (reading.section === 'before' && /^\s*<think(ing)?>/i.test(line)) reading.section = 'thinking'
  if (reading.section === 'thinking') {
    if (/<\/think(ing)?>/i.test(line)) reading.section = 'before'
    return ''
  }
  if (reading.file) addLine(reading.file, line)
  else if (reading.section === 'summary') reading.summary.push(line)
  else {
    if (reading.section === 'plan') reading.plan.push(line)
    reading.stray.push(line)
  }
  return isProse(reading.section) ? line.slice(shown) + lineEnd : ''
}

function takeMark(reading: Reading, mark: Mark): void {
  reading.hasMarks = true
  if (mark.word === 'PLAN' || mark.word === 'SUMMARY') {
    closeFile(reading)
    reading.section = mark.word === 'PLAN' ? 'plan' : 'summary'
  } else if (mark.word === 'FILE') openFile(reading, mark.about)
  else if (mark.word === 'END') endPart(reading)
  else if (mark.word === 'WHY' && reading.file) reading.file.why ||= mark.about
  else if (reading.file) beginPart(reading.file, PARTS[mark.word as keyof typeof PARTS])
}

const PARTS = { FIND: 'find', WITH: 'with', BODY: 'body' } as const

function openFile(reading: Reading, about: string): void {
  const file = readFileMark(about)
  const isRepeated = reading.file?.path === file.path && isUntouched(reading.file)
  if (isRepeated && reading.file?.action === file.action) return
  closeFile(reading)
  reading.file = newDraft(file)
  reading.section = 'file'
}

function endPart(reading: Reading): void {
  if (reading.file) reading.file.isOpen = false
  else reading.section = 'between'
}

/** The next section has begun, so this file is complete, even where its last END was forgotten. */
function closeFile(reading: Reading): void {
  const { file, envelope } = reading
  reading.file = undefined
  if (!file) return
  if (file.isOpen) envelope.warnings.push(`end_missing: ${file.path}`)
  const block = blockOf(file)
  if ('reason' in block) envelope.broken.push(block)
  else envelope.blocks.push(block)
}

function end(reading: Reading, finish: Finish): Envelope {
  const { envelope, file } = reading
  const partial = lineWith(reading, '')
  if (partial !== '') readLine(reading, partial, '')
  if (reading.charsLeft === 0) envelope.warnings.push('answer_too_long')
  const isCut = finish !== 'stop' || reading.charsLeft === 0
  // A file whose very mark has no end of line may have lost a part of its name.
  const isNamed = partial === '' || reading.file === file
  if (isCut && reading.file && !(isNamed && isWhole(reading.file))) cutOff(reading, reading.file)
  closeFile(reading)
  envelope.plan = proseOf(reading.plan)
  envelope.summary = proseOf(reading.summary)
  if (envelope.blocks.length + envelope.broken.length === 0) readElsewhere(reading, isCut ? 'length' : finish)
  return envelope
}

/** A file that is whole although nothing came after it: its last part has its END, or it needs none. */
const isWhole = (file: BlockDraft): boolean =>
  !file.isOpen && (file.action === 'delete' || file.parts.length > 0) && file.parts.at(-1)?.kind !== 'find'

function cutOff(reading: Reading, file: BlockDraft): void {
  reading.envelope.broken.push({ path: file.path, reason: 'cut_off' })
  reading.file = undefined
}

/** Nothing in our own notation: perhaps the model used one that it knows better. */
function readElsewhere({ stray, hasMarks, envelope }: Reading, finish: Finish): void {
  const foreign = readForeignAnswer(stray, finish, hasMarks ? 'diffs' : 'all')
  envelope.blocks.push(...foreign.blocks)
  envelope.broken.push(...foreign.broken)
  if (foreign.blocks.length > 0) envelope.warnings.push(`read_as: ${foreign.notation}`)
  if (hasMarks) return
  if (foreign.blocks.length === 0) envelope.warnings.push('no_edits_parsed')
  envelope.summary = foreign.blocks.length === 0 ? proseOf(stray) : foreign.prose.trim()
}

/** Prose without the empty lines around it, and without half of a pair of fences. */
function proseOf(lines: readonly string[]): string {
  const text = lines.join('\n').trim()
  const fences = lines.filter((line) => /^\s*```/.test(line)).length
  return fences % 2 === 1 && text.endsWith('```') ? text.slice(0, -3).trimEnd() : text
}
