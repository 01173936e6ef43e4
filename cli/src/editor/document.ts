// The text of an input and its cursor. A unit is one character of the reader, or a whole paste that is shown as a mark.
import { graphemesOf } from '../terminal/graphemes.ts'

export type Unit = {
  readonly text: string
  /** Shown instead of the text, such as [pasted 120 lines]. */
  readonly mark?: string
}

export type Document = { readonly units: readonly Unit[]; readonly cursor: number }

export const EMPTY: Document = { units: [], cursor: 0 }

/** Longer pastes are shown as a mark. */
const PASTE_LINES_MAX = 8
const PASTE_CHARACTERS_SHOWN_MAX = 600
/** Typed text stops here. Pastes with a mark have their own limit. */
export const UNITS_MAX = 100_000

export const textOf = ({ units }: Pick<Document, 'units'>): string => units.map(({ text }) => text).join('')
export const shownOf = ({ units }: Pick<Document, 'units'>): string =>
  units.map(({ text, mark }) => mark ?? text).join('')

const unitsIn = (text: string): Unit[] => graphemesOf(text).map((each) => ({ text: each }))

/** A text from outside: a paste, or a message of the history. */
export function pasteUnits(text: string, isCut = false): Unit[] {
  const lines = text.split('\n').length
  if (!isCut && lines <= PASTE_LINES_MAX && text.length <= PASTE_CHARACTERS_SHOWN_MAX) return unitsIn(text)
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`
  return [{ text, mark: `[pasted ${size}${isCut ? ', the rest was cut' : ''}]` }]
}

export const documentOf = (text: string): Document => {
  const units = pasteUnits(text)
  return { units, cursor: units.length }
}

export const insertText = (document: Document, text: string): Document =>
  insertUnits(document, unitsIn(text).slice(0, Math.max(0, UNITS_MAX - document.units.length)))

/** Joins characters with their neighbours: a combining mark may arrive after its letter. */
export function insertUnits({ units, cursor }: Document, inserted: readonly Unit[]): Document {
  if (inserted.length === 0) return { units, cursor }
  let [before, middle, after] = [units.slice(0, cursor), [...inserted], units.slice(cursor)]
  const left = before.at(-1)
  const first = middle[0]
  if (left && first && !left.mark && !first.mark) {
    const joined = unitsIn(left.text + first.text)
    if (joined.length < 2 || joined[0]?.text !== left.text) {
      before = before.slice(0, -1)
      middle = [...joined, ...middle.slice(1)]
    }
  }
  const at = before.length + middle.length
  const right = after[0]
  const last = middle.at(-1)
  if (right && last && !right.mark && !last.mark) {
    const joined = unitsIn(last.text + right.text)
    if (joined.length < 2 || joined[0]?.text !== last.text) {
      middle = [...middle.slice(0, -1), ...joined]
      after = after.slice(1)
    }
  }
  const all = [...before, ...middle, ...after]
  return { units: all, cursor: Math.min(at, all.length) }
}

/** Removes the units between two places and leaves the cursor there. */
export function remove(document: Document, from: number, to: number): Document {
  const [start, end] = [Math.max(0, Math.min(from, to)), Math.max(from, to)]
  return insertJoin({ units: document.units.slice(0, start), rest: document.units.slice(end) })
}

/** Two halves may form one character, such as the parts of an emoji. */
function insertJoin({ units, rest }: { units: readonly Unit[]; rest: readonly Unit[] }): Document {
  const [left, right] = [units.at(-1), rest[0]]
  if (!left || !right || left.mark || right.mark) return { units: [...units, ...rest], cursor: units.length }
  const joined = unitsIn(left.text + right.text)
  if (joined.length === 2 && joined[0]?.text === left.text)
    return { units: [...units, ...rest], cursor: units.length }
  return {
    units: [...units.slice(0, -1), ...joined, ...rest.slice(1)],
    cursor: units.length - 1 + joined.length - 1,
  }
}

export const lineStart = ({ units, cursor }: Document): number => {
  let at = cursor
  while (at > 0 && units[at - 1]?.text !== '\n') at--
  return at
}

export const lineEnd = ({ units, cursor }: Document): number => {
  let at = cursor
  while (at < units.length && units[at]?.text !== '\n') at++
  return at
}

const isWord = (unit: Unit | undefined): boolean =>
  unit !== undefined && (unit.mark !== undefined || /^[\p{L}\p{N}_]/u.test(unit.text))
const isBlank = (unit: Unit | undefined): boolean =>
  unit !== undefined && unit.mark === undefined && /^\s/.test(unit.text)

export function wordLeft({ units, cursor }: Document): number {
  let at = cursor
  while (at > 0 && !isWord(units[at - 1])) at--
  while (at > 0 && isWord(units[at - 1])) at--
  return at
}

export function wordRight({ units, cursor }: Document): number {
  let at = cursor
  while (at < units.length && !isWord(units[at])) at++
  while (at < units.length && isWord(units[at])) at++
  return at
}

/** The start of the text before the cursor up to a space, as Ctrl-W deletes it. */
export function blankLeft({ units, cursor }: Document): number {
  let at = cursor
  while (at > 0 && isBlank(units[at - 1])) at--
  while (at > 0 && !isBlank(units[at - 1])) at--
  return at
}
