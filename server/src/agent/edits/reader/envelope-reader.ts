// Reads the envelope line by line while it arrives. PLAN and SUMMARY text can be shown at once; a file counts only
// when it is complete.
import { setImmediate } from 'node:timers/promises'
import type { Nonce } from '../../prompt/markers.ts'
import type { AnswerEnvelope, Finish } from '../envelope.ts'
import { addLine, type BlockDraft, beginPart, endPart, isInContent, newDraft } from './block-draft.ts'
import { finishEnvelope } from './envelope-end.ts'
import { isFence } from './fenced-text.ts'
import { parseFileMark } from './file-mark.ts'
import {
  type AnswerMark,
  createMarkFinder,
  holdBackFrom,
  MARK_LINE_CHARS_MAX,
  type MarkedLine,
} from './marks.ts'
import {
  ANSWER_CHARS_MAX,
  closeFile,
  createReaderState,
  type ReaderState,
  resetAnswer,
  type Section,
} from './reader-state.ts'
import { findReasoningEnd, findReasoningStart, findUnmatchedEnd } from './reasoning-tags.ts'

export type EnvelopeReader = {
  /** Takes the next piece of the answer. Returns the plan and summary text that can be shown. */
  push(text: string): string
  end(finish: Finish): AnswerEnvelope
}

/** `files` are all that the model may have read. Without them, only marks with the right nonce count. */
export function createEnvelopeReader(nonce: Nonce, files?: ReadonlyMap<string, string>): EnvelopeReader {
  const reading = createReaderState(createMarkFinder(nonce), files)
  return {
    push: (text) => push(reading, text),
    end: (finish) => end(reading, finish),
  }
}

export function readEnvelope(
  text: string,
  nonce: Nonce,
  finish: Finish,
  files?: ReadonlyMap<string, string>,
): AnswerEnvelope {
  const reader = createEnvelopeReader(nonce, files)
  reader.push(text)
  return reader.end(finish)
}

const PIECE_CHARS = 16 * 1024

/** Reads a long answer and yields to other requests between its pieces. */
export async function readEnvelopeInChunks(
  text: string,
  nonce: Nonce,
  finish: Finish,
  files?: ReadonlyMap<string, string>,
): Promise<AnswerEnvelope> {
  const reader = createEnvelopeReader(nonce, files)
  for (let at = 0; at < Math.min(text.length, ANSWER_CHARS_MAX + 1); at += PIECE_CHARS) {
    reader.push(text.slice(at, at + PIECE_CHARS))
    await setImmediate()
  }
  return reader.end(finish)
}

/** The cost depends on the piece alone, not on the length of the line so far. */
function push(reading: ReaderState, text: string): string {
  const taken = text.slice(0, reading.charsLeft)
  reading.charsLeft -= taken.length
  const pieces = taken.split('\n')
  const last = pieces.pop() ?? ''
  let shown = ''
  for (const piece of pieces) shown += readLine(reading, completeLine(reading, piece), '\n')
  reading.linePieces.push(last)
  return shown + showPiece(reading, last)
}

/** Completes the current line with this piece. */
function completeLine(reading: ReaderState, piece: string): string {
  const line = reading.linePieces.length === 0 ? piece : [...reading.linePieces, piece].join('')
  reading.linePieces = []
  reading.heldBack = ''
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** The part of an unfinished prose line that can no longer become a mark. */
function showPiece(reading: ReaderState, piece: string): string {
  if (!isProse(reading.section)) return ''
  reading.heldBack += piece
  const isLong = reading.shownCharacters + reading.heldBack.length > MARK_LINE_CHARS_MAX
  let safe = isLong ? reading.heldBack.length : holdBackFrom(reading.heldBack, reading.shownCharacters === 0)
  // A carriage return may belong to the line end that follows.
  while (safe > 0 && reading.heldBack.charAt(safe - 1) === '\r') safe--
  const shown = reading.heldBack.slice(0, safe)
  reading.heldBack = reading.heldBack.slice(safe)
  reading.shownCharacters += safe
  return shown
}

const isProse = (section: Section): boolean => section === 'plan' || section === 'summary'

/** Returns the part of the line that can be shown. */
function readLine(reading: ReaderState, line: string, lineEnd: string): string {
  const { shownCharacters: shown } = reading
  reading.shownCharacters = 0
  const reasoning = reading.section === 'thinking' ? readReasoning(reading, line, lineEnd) : undefined
  const shownReasoning =
    reasoning ?? (isInContent(reading.file) ? undefined : readReasoningTag(reading, line, lineEnd))
  if (shownReasoning !== undefined) return shownReasoning
  const found = reading.find(line)
  if (!found || !isExpected(reading, found)) return addTextLine(reading, line, shown, lineEnd)
  const before = found.before.trim() === '' ? '' : addTextLine(reading, found.before, shown, lineEnd)
  handleMark(reading, found)
  return before + (found.after.trim() === '' ? '' : addTextLine(reading, found.after, 0, lineEnd))
}

/** Skips reasoning; the answer continues after the closing tag. */
function readReasoning(reading: ReaderState, line: string, lineEnd: string): string {
  const end = findReasoningEnd(line)
  if (end === undefined) return ''
  reading.section = reading.resumedSection
  return readRest(reading, line.slice(end), lineEnd)
}

/** Handles a line that opens reasoning, or that closes reasoning which never opened. Undefined for other lines. */
function readReasoningTag(reading: ReaderState, line: string, lineEnd: string): string | undefined {
  const isBefore = reading.section === 'before'
  if (reading.isFenced || !line.includes('<')) return undefined
  const from = findReasoningStart(line, isBefore)
  if (from !== undefined) {
    reading.resumedSection = reading.section
    reading.section = 'thinking'
    return readReasoning(reading, line.slice(from), lineEnd)
  }
  const end = findUnmatchedEnd(line, isBefore)
  if (end === undefined) return undefined
  resetAnswer(reading)
  return readRest(reading, line.slice(end), lineEnd)
}

const readRest = (reading: ReaderState, rest: string, lineEnd: string): string =>
  rest.trim() === '' ? '' : readLine(reading, rest, lineEnd)

/** Inner marks count only inside a file. Elsewhere, or beside other text, they are mentions. */
function isExpected(reading: ReaderState, { mark, isAlone }: MarkedLine): boolean {
  const { word } = mark
  if (word === 'FILE' && !isAlone) {
    // A FILE mark inside prose is a mention unless its parts follow. Inside an open part it damages the block.
    reading.mentionedFile = mark
    if (reading.file?.isOpen) reading.file.isDamaged = true
    return false
  }
  if (word === 'PLAN') return isAlone
  if (reading.file || word === 'FILE' || word === 'SUMMARY' || word === 'END') return true
  if (!isAlone || !reading.mentionedFile) return false
  openFile(reading, reading.mentionedFile.about, false)
  if (reading.file) (reading.file as BlockDraft).isDamaged = true
  return true
}

function addTextLine(reading: ReaderState, line: string, shown: number, lineEnd: string): string {
  if (reading.file) addLine(reading.file, line)
  else {
    if (isFence(line)) reading.isFenced = !reading.isFenced
    if (reading.section === 'summary') addProse(reading.summary, line)
    else {
      if (reading.section === 'plan') addProse(reading.plan, line)
      addProse(reading.unmarkedLines, line)
    }
  }
  return isProse(reading.section) ? line.slice(shown) + lineEnd : ''
}

/** Longer prose is truncated. */
const PROSE_LINES_MAX = 60_000

function addProse(prose: string[], line: string): void {
  if (prose.length < PROSE_LINES_MAX) prose.push(line)
}

function handleMark(reading: ReaderState, { mark, isListed }: MarkedLine): void {
  reading.hasMarks = true
  reading.isFenced = false
  if (mark.word === 'PLAN' || mark.word === 'SUMMARY') openProse(reading, mark.word)
  else if (mark.word === 'FILE') openFile(reading, mark.about, isListed)
  else if (mark.word === 'END') endFilePart(reading)
  else if (mark.word === 'WHY' && reading.file) reading.file.why ||= mark.about
  else if (reading.file) beginPart(reading.file, PARTS[mark.word as keyof typeof PARTS])
}

const PARTS = { FIND: 'find', WITH: 'with', BODY: 'body' } as const

function openProse(reading: ReaderState, word: AnswerMark['word']): void {
  closeFile(reading)
  if (reading.section !== 'thinking') reading.section = word === 'PLAN' ? 'plan' : 'summary'
}

function openFile(reading: ReaderState, about: string, isListed: boolean): void {
  const file = parseFileMark(about)
  const isRepeated = reading.file?.path === file.path && reading.file.parts.length === 0
  if (isRepeated && reading.file?.action === file.action) return
  const needsWhy = isListed || reading.section === 'summary'
  closeFile(reading)
  if (reading.section === 'thinking') return
  reading.mentionedFile = undefined
  reading.file = newDraft(file, { needsWhy, isStrict: reading.isStrict })
  reading.section = 'file'
}

function endFilePart(reading: ReaderState): void {
  if (reading.file) endPart(reading.file)
  else reading.section = 'between'
}

const isClosedMark = (line: string): boolean => /[\]>})】》»⟧]/u.test(line.trimEnd().slice(-4))

function end(reading: ReaderState, finish: Finish): AnswerEnvelope {
  const file = reading.file
  const partial = completeLine(reading, '')
  if (partial !== '') readLine(reading, partial, '')
  // If the FILE mark itself has no line end, its path may be truncated.
  const isNamed = partial === '' || reading.file === file || (finish === 'stop' && isClosedMark(partial))
  return finishEnvelope(reading, finish, isNamed, (lines, other, ended) => {
    const again = createReaderState(other, undefined, true)
    for (const line of lines) readLine(again, line, '\n')
    return end(again, ended)
  })
}
