// The line editor as a state machine: a state and a key give the next state and an effect. It draws and reads nothing.
import {
  blankLeft,
  type Document,
  documentOf,
  EMPTY,
  insertText,
  insertUnits,
  lineEnd,
  lineStart,
  pasteUnits,
  remove,
  shownOf,
  textOf,
  type Unit,
  wordLeft,
  wordRight,
} from './document.ts'
import { type Key, type KeyName, PASTE_CHARACTERS_MAX } from './keys.ts'
import { layOut } from './layout.ts'

export type EditorState = {
  readonly document: Document
  /** The last deleted text, for Ctrl-Y. */
  readonly killed: readonly Unit[]
  readonly undo: readonly Document[]
  readonly last: 'typing' | 'killing' | 'moving' | 'pasting'
  /** The shown message of the history, counted from the newest; null for the own text. */
  readonly recalled: { readonly back: number; readonly own: Document } | null
  /** A search through the history with Ctrl-R. */
  readonly search: {
    readonly query: string
    readonly back: number | null
    readonly own: Document
    readonly isFailing: boolean
  } | null
}

export type Effect =
  | 'none'
  | 'submit'
  | 'interrupt'
  | 'quit'
  | 'escape'
  | 'complete'
  | 'complete-back'
  | 'redraw'
  | 'suspend'
  /** The key can do nothing here. */
  | 'bell'

export type EditorContext = {
  /** Earlier messages, newest last. */
  readonly history: readonly string[]
  /** The room for the text in columns. */
  readonly width: number
  /** Whether Enter always submits, as for a question. */
  readonly isSingleLine?: boolean
}

export type EditResult = { readonly state: EditorState; readonly effect: Effect }

const UNDO_MAX = 200
const QUERY_MAX = 200

export const openEditor = (initial = ''): EditorState => ({
  document: initial === '' ? EMPTY : documentOf(initial),
  killed: [],
  undo: [],
  last: 'moving',
  recalled: null,
  search: null,
})

/** The same editor with another text; the deleted text stays. */
export const withText = (state: EditorState, text: string): EditorState => ({
  ...openEditor(text),
  killed: state.killed,
})

export const isEmpty = ({ document }: EditorState): boolean => document.units.length === 0

export const messageOf = ({ document }: EditorState): { text: string; shown: string } => ({
  text: textOf(document),
  shown: shownOf(document),
})

export function edit(state: EditorState, key: Key, context: EditorContext): EditResult {
  if (state.search) return searchKey(state, state.search, key, context)
  if (key.kind === 'text') return typed(state, key.text)
  if (key.kind === 'paste') return pasted(state, key, context)
  return named(state, key.name, context)
}

const stay = (state: EditorState, effect: Effect = 'none'): EditResult => ({ state, effect })

function changed(state: EditorState, document: Document, last: EditorState['last']): EditResult {
  const undo = [...state.undo, state.document].slice(-UNDO_MAX)
  return stay({ ...state, document, undo, last, recalled: null })
}

/** Typing within one word is undone together. */
function typed(state: EditorState, text: string): EditResult {
  const document = insertText(state.document, text)
  if (document.units === state.document.units) return stay(state, 'bell')
  const isSameWord = state.last === 'typing' && !/^\s/.test(text)
  return isSameWord ? stay({ ...state, document, recalled: null }) : changed(state, document, 'typing')
}

/** The parts of a paste without marks become one. */
function pasted(
  state: EditorState,
  key: Extract<Key, { kind: 'paste' }>,
  context: EditorContext,
): EditResult {
  const text = context.isSingleLine ? key.text.replaceAll('\n', ' ') : key.text
  const { document } = state
  const before = document.units[document.cursor - 1]
  if (!key.isPart || state.last !== 'pasting' || before?.mark === undefined)
    return changed(state, insertUnits(document, pasteUnits(text, key.isCut)), 'pasting')
  const whole = before.text + text
  const isCut = whole.length > PASTE_CHARACTERS_MAX
  const units = pasteUnits(whole.slice(0, PASTE_CHARACTERS_MAX), isCut)
  const without = remove(document, document.cursor - 1, document.cursor)
  return stay({ ...state, document: insertUnits(without, units) })
}

function moved(state: EditorState, cursor: number): EditResult {
  return stay({ ...state, document: { ...state.document, cursor }, last: 'moving' })
}

/** Deletes text that Ctrl-Y brings back. Deleting again adds to it. */
function killed(state: EditorState, to: number): EditResult {
  const { document } = state
  const { cursor, units } = document
  if (to === cursor) return stay(state, 'bell')
  const cut = units.slice(Math.min(to, cursor), Math.max(to, cursor))
  const earlier = state.last === 'killing' ? state.killed : []
  const { state: next } = changed(state, remove(document, cursor, to), 'killing')
  return stay({ ...next, killed: to < cursor ? [...cut, ...earlier] : [...earlier, ...cut] })
}

function removed(state: EditorState, to: number): EditResult {
  const { document } = state
  if (to < 0 || to > document.units.length || to === document.cursor) return stay(state, 'bell')
  return changed(state, remove(document, document.cursor, to), 'moving')
}

function named(state: EditorState, name: KeyName, context: EditorContext): EditResult {
  const { document } = state
  const { cursor, units } = document
  switch (name) {
    case 'enter':
      return enter(state, context)
    case 'newline':
      return context.isSingleLine
        ? stay(state, 'submit')
        : changed(state, insertUnits(document, [{ text: '\n' }]), 'moving')
    case 'tab':
      return stay(state, 'complete')
    case 'shift-tab':
      return stay(state, 'complete-back')
    case 'escape':
      return stay(state, 'escape')
    case 'left':
    case 'ctrl-b':
      return cursor > 0 ? moved(state, cursor - 1) : stay(state, 'bell')
    case 'right':
    case 'ctrl-f':
      return cursor < units.length ? moved(state, cursor + 1) : stay(state, 'bell')
    case 'home':
    case 'ctrl-a':
      return moved(state, lineStart(document))
    case 'end':
    case 'ctrl-e':
      return moved(state, lineEnd(document))
    case 'word-left':
      return moved(state, wordLeft(document))
    case 'word-right':
      return moved(state, wordRight(document))
    case 'backspace':
      return removed(state, cursor - 1)
    case 'delete':
      return removed(state, cursor + 1)
    case 'ctrl-d':
      return units.length === 0 ? stay(state, 'quit') : removed(state, cursor + 1)
    case 'ctrl-c':
      return stay(state, 'interrupt')
    case 'ctrl-k':
      // At the end of a line, the line end goes.
      return killed(state, units[cursor]?.text === '\n' ? cursor + 1 : lineEnd(document))
    case 'ctrl-u':
      return killed(state, units[cursor - 1]?.text === '\n' ? cursor - 1 : lineStart(document))
    case 'ctrl-w':
      return killed(state, blankLeft(document))
    case 'word-backspace':
      return killed(state, wordLeft(document))
    case 'word-delete':
      return killed(state, wordRight(document))
    case 'ctrl-y':
      return state.killed.length === 0
        ? stay(state, 'bell')
        : changed(state, insertUnits(document, state.killed), 'moving')
    case 'ctrl-_':
      return undone(state)
    case 'ctrl-l':
      return stay(state, 'redraw')
    case 'ctrl-z':
      return stay(state, 'suspend')
    case 'up':
    case 'ctrl-p':
      return vertical(state, -1, context)
    case 'down':
    case 'ctrl-n':
      return vertical(state, 1, context)
    case 'page-up':
      return recall(state, 1, context)
    case 'page-down':
      return recall(state, -1, context)
    case 'ctrl-r':
      return context.isSingleLine
        ? stay(state, 'bell')
        : stay({ ...state, search: { query: '', back: null, own: document, isFailing: false } })
    default:
      return stay(state, 'bell')
  }
}

/** A backslash at the end of a line continues it. */
function enter(state: EditorState, { isSingleLine }: EditorContext): EditResult {
  const { document } = state
  const { units, cursor } = document
  if (isSingleLine || units[cursor - 1]?.text !== '\\' || lineEnd(document) !== cursor)
    return stay(state, 'submit')
  const without = remove(document, cursor - 1, cursor)
  return changed(state, insertUnits(without, [{ text: '\n' }]), 'moving')
}

function undone(state: EditorState): EditResult {
  const before = state.undo.at(-1)
  if (!before) return stay(state, 'bell')
  return stay({ ...state, document: before, undo: state.undo.slice(0, -1), last: 'moving', recalled: null })
}

/** Within the text, and from its first or last row through the history. */
function vertical(state: EditorState, step: 1 | -1, context: EditorContext): EditResult {
  const { cursor, rows, unitAt } = layOut(state.document, context.width)
  const row = cursor.row + step
  if (row >= 0 && row < rows.length) return moved(state, unitAt(row, cursor.column))
  return context.isSingleLine ? stay(state, 'bell') : recall(state, step === -1 ? 1 : -1, context)
}

function recall(state: EditorState, step: 1 | -1, { history }: EditorContext): EditResult {
  const back = (state.recalled?.back ?? 0) + step
  const own = state.recalled?.own ?? state.document
  if (back < 0 || back > history.length) return stay(state, 'bell')
  if (back === 0) return stay({ ...state, document: own, recalled: null, last: 'moving' })
  const document = documentOf(history.at(-back) ?? '')
  return stay({ ...state, document, recalled: { back, own }, last: 'moving' })
}

type Search = NonNullable<EditorState['search']>

function searchKey(state: EditorState, search: Search, key: Key, context: EditorContext): EditResult {
  const { history } = context
  const look = (query: string, from: number): EditResult => {
    const back = query === '' ? null : findBack(history, query, from)
    if (query !== '' && back === null)
      return stay({ ...state, search: { ...search, query, isFailing: true } }, 'bell')
    const document = back === null ? search.own : documentOf(history.at(-back) ?? '')
    return stay({ ...state, document, search: { ...search, query, back, isFailing: false } })
  }
  if (key.kind === 'text') return look((search.query + key.text).slice(0, QUERY_MAX), search.back ?? 1)
  if (key.kind === 'paste')
    return look((search.query + key.text.replaceAll('\n', ' ')).slice(0, QUERY_MAX), search.back ?? 1)
  switch (key.name) {
    case 'ctrl-r':
    case 'up':
      return look(search.query, (search.back ?? 0) + 1)
    case 'backspace':
      return look([...search.query].slice(0, -1).join(''), 1)
    case 'escape':
    case 'ctrl-c':
    case 'ctrl-g':
      return stay({ ...state, document: search.own, search: null })
    case 'enter':
    case 'tab':
      return stay({ ...state, search: null })
    default:
      return edit({ ...state, search: null }, key, context)
  }
}

/** Counted from the newest, which is 1. */
function findBack(history: readonly string[], query: string, from: number): number | null {
  const wanted = query.toLowerCase()
  for (let back = from; back <= history.length; back++)
    if (history.at(-back)?.toLowerCase().includes(wanted)) return back
  return null
}
