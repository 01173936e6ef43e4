// Reads the envelope while it arrives, line by line. Text of PLAN and SUMMARY may be shown at once; a file counts only
// when its end has come.
import { setImmediate } from 'node:timers/promises'
import type { Nonce } from '../markers.ts'
import { addLine, type BlockDraft, beginPart, endPart, isInContent, newDraft } from './block-draft.ts'
import type { Envelope, Finish } from './envelope.ts'
import { endReading } from './envelope-end.ts'
import { readFileMark } from './file-mark.ts'
import { createMarkFinder, holdBackFrom, MARK_LINE_CHARS_MAX, type Mark, type MarkedLine } from './marks.ts'
import { isFence } from './quoted-text.ts'
import { ANSWER_CHARS_MAX, closeFile, forget, newReading, type Reading, type Section } from './reading.ts'
import { loneEnd, thoughtEnd, thoughtFrom } from './thinking.ts'

export type EnvelopeReader = {
  /** Takes the next piece of the answer and returns what of it may be shown: prose of the plan and the summary. */
  push(text: string): string
  end(finish: Finish): Envelope
}

/** `files` are all that the model may have read. Without them only marks with the right nonce are marks. */
export function createEnvelopeReader(nonce: Nonce, files?: ReadonlyMap<string, string>): EnvelopeReader {
  const reading = newReading(createMarkFinder(nonce), files)
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
): Envelope {
  const reader = createEnvelopeReader(nonce, files)
  reader.push(text)
  return reader.end(finish)
}

const PIECE_CHARS = 16 * 1024

/** The same for an answer of any length: others get their turn between its pieces. */
export async function readEnvelopeInTurns(
  text: string,
  nonce: Nonce,
  finish: Finish,
  files?: ReadonlyMap<string, string>,
): Promise<Envelope> {
  const reader = createEnvelopeReader(nonce, files)
  for (let at = 0; at < Math.min(text.length, ANSWER_CHARS_MAX + 1); at += PIECE_CHARS) {
    reader.push(text.slice(at, at + PIECE_CHARS))
    await setImmediate()
  }
  return reader.end(finish)
}

/** Costs no more than the piece is long, however long its line grows. */
function push(reading: Reading, text: string): string {
  const taken = text.slice(0, reading.charsLeft)
  reading.charsLeft -= taken.length
  const pieces = taken.split('\n')
  const last = pieces.pop() ?? ''
  let shown = ''
  for (const piece of pieces) shown += readLine(reading, lineWith(reading, piece), '\n')
  reading.pieces.push(last)
  return shown + showPiece(reading, last)
}

/** The line that ends with this piece. */
function lineWith(reading: Reading, piece: string): string {
  const line = reading.pieces.length === 0 ? piece : [...reading.pieces, piece].join('')
  reading.pieces = []
  reading.held = ''
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** What of an unfinished line of prose cannot become a mark any more. */
function showPiece(reading: Reading, piece: string): string {
  if (!isProse(reading.section)) return ''
  reading.held += piece
  const isLong = reading.shown + reading.held.length > MARK_LINE_CHARS_MAX
  let safe = isLong ? reading.held.length : holdBackFrom(reading.held, reading.shown === 0)
  // The return that belongs to an end of line is not known as such before the line has ended.
  while (safe > 0 && reading.held.charAt(safe - 1) === '\r') safe--
  const shown = reading.held.slice(0, safe)
  reading.held = reading.held.slice(safe)
  reading.shown += safe
  return shown
}

const isProse = (section: Section): boolean => section === 'plan' || section === 'summary'

/** Returns what of the line may be shown. */
function readLine(reading: Reading, line: string, lineEnd: string): string {
  const { shown } = reading
  reading.shown = 0
  const thought = reading.section === 'thinking' ? readThought(reading, line, lineEnd) : undefined
  const aside = thought ?? (isInContent(reading.file) ? undefined : readAside(reading, line, lineEnd))
  if (aside !== undefined) return aside
  const found = reading.find(line)
  if (!found || !isExpected(reading, found)) return keepLine(reading, line, shown, lineEnd)
  const before = found.before.trim() === '' ? '' : keepLine(reading, found.before, shown, lineEnd)
  takeMark(reading, found)
  return before + (found.after.trim() === '' ? '' : keepLine(reading, found.after, 0, lineEnd))
}

/** A line of thinking aloud; behind its end the answer goes on. */
function readThought(reading: Reading, line: string, lineEnd: string): string {
  const end = thoughtEnd(line)
  if (end === undefined) return ''
  reading.section = reading.resumed
  return readRest(reading, line.slice(end), lineEnd)
}

/** A line that begins to think aloud, or that says that all before it was thought; undefined if it does neither. */
function readAside(reading: Reading, line: string, lineEnd: string): string | undefined {
  const isBefore = reading.section === 'before'
  if (reading.isFenced || !line.includes('<')) return undefined
  const from = thoughtFrom(line, isBefore)
  if (from !== undefined) {
    reading.resumed = reading.section
    reading.section = 'thinking'
    return readThought(reading, line.slice(from), lineEnd)
  }
  const end = loneEnd(line, isBefore)
  if (end === undefined) return undefined
  forget(reading)
  return readRest(reading, line.slice(end), lineEnd)
}

const readRest = (reading: Reading, rest: string, lineEnd: string): string =>
  rest.trim() === '' ? '' : readLine(reading, rest, lineEnd)

/** The inner marks mean something only within a file; elsewhere, and beside other text, somebody talks about them. */
function isExpected(reading: Reading, { mark, isAlone }: MarkedLine): boolean {
  const { word } = mark
  if (word === 'FILE' && !isAlone) {
    // A file that was only mentioned is none, unless its parts follow. Within another file it is neither.
    reading.mentioned = mark
    if (reading.file?.isOpen) reading.file.isDamaged = true
    return false
  }
  if (word === 'PLAN') return isAlone
  if (reading.file || word === 'FILE' || word === 'SUMMARY' || word === 'END') return true
  if (!isAlone || !reading.mentioned) return false
  openFile(reading, reading.mentioned.about, false)
  if (reading.file) (reading.file as BlockDraft).isDamaged = true
  return true
}

function keepLine(reading: Reading, line: string, shown: number, lineEnd: string): string {
  if (reading.file) addLine(reading.file, line)
  else {
    if (isFence(line)) reading.isFenced = !reading.isFenced
    if (reading.section === 'summary') keep(reading.summary, line)
    else {
      if (reading.section === 'plan') keep(reading.plan, line)
      keep(reading.stray, line)
    }
  }
  return isProse(reading.section) ? line.slice(shown) + lineEnd : ''
}

/** Prose of more lines than this is cut. */
const PROSE_LINES_MAX = 60_000

function keep(prose: string[], line: string): void {
  if (prose.length < PROSE_LINES_MAX) prose.push(line)
}

function takeMark(reading: Reading, { mark, isListed }: MarkedLine): void {
  reading.hasMarks = true
  reading.isFenced = false
  if (mark.word === 'PLAN' || mark.word === 'SUMMARY') openProse(reading, mark.word)
  else if (mark.word === 'FILE') openFile(reading, mark.about, isListed)
  else if (mark.word === 'END') endFilePart(reading)
  else if (mark.word === 'WHY' && reading.file) reading.file.why ||= mark.about
  else if (reading.file) beginPart(reading.file, PARTS[mark.word as keyof typeof PARTS])
}

const PARTS = { FIND: 'find', WITH: 'with', BODY: 'body' } as const

function openProse(reading: Reading, word: Mark['word']): void {
  closeFile(reading)
  if (reading.section !== 'thinking') reading.section = word === 'PLAN' ? 'plan' : 'summary'
}

function openFile(reading: Reading, about: string, isListed: boolean): void {
  const file = readFileMark(about)
  const isRepeated = reading.file?.path === file.path && reading.file.parts.length === 0
  if (isRepeated && reading.file?.action === file.action) return
  const needsWhy = isListed || reading.section === 'summary'
  closeFile(reading)
  if (reading.section === 'thinking') return
  reading.mentioned = undefined
  reading.file = newDraft(file, { needsWhy, isStrict: reading.isStrict })
  reading.section = 'file'
}

function endFilePart(reading: Reading): void {
  if (reading.file) endPart(reading.file)
  else reading.section = 'between'
}

const isClosedMark = (line: string): boolean => /[\]>})】》»⟧]/u.test(line.trimEnd().slice(-4))

function end(reading: Reading, finish: Finish): Envelope {
  const file = reading.file
  const partial = lineWith(reading, '')
  if (partial !== '') readLine(reading, partial, '')
  // A file whose very mark has no end of line may have lost a part of its name.
  const isNamed = partial === '' || reading.file === file || (finish === 'stop' && isClosedMark(partial))
  return endReading(reading, finish, isNamed, (lines, other, ended) => {
    const again = newReading(other, undefined, true)
    for (const line of lines) readLine(again, line, '\n')
    return end(again, ended)
  })
}
