// Completion of the word before the cursor: `/…` at the start of the input and `@…` anywhere.
import type { Suggestion } from '../terminal/screen-types.ts'
import { insertText, remove } from './document.ts'
import type { EditorState } from './editor.ts'

const TYPED_MAX = 200

export type TypedWord = { readonly text: string /** Its first unit. */; readonly from: number }

/** The word that can be completed; null if there is none. */
export function typedWord({ document, search }: EditorState): TypedWord | null {
  if (search) return null
  const { units, cursor } = document
  let at = cursor
  while (at > 0 && cursor - at <= TYPED_MAX) {
    const unit = units[at - 1]
    if (!unit || unit.mark !== undefined || /^\s/.test(unit.text)) break
    at--
  }
  const text = units
    .slice(at, cursor)
    .map((unit) => unit.text)
    .join('')
  return text.startsWith('@') || (at === 0 && text.startsWith('/')) ? { text, from: at } : null
}

/** Replaces the word. A space follows, except after a folder, which can be completed further. */
export function accept(state: EditorState, { from }: TypedWord, { text }: Suggestion): EditorState {
  const { document } = state
  const without = remove(document, from, document.cursor)
  const isFolder = text.endsWith('/') && text.length > 1
  const next = document.units[document.cursor]?.text ?? ''
  const inserted = insertText(without, isFolder || /^\s/.test(next) ? text : `${text} `)
  return { ...state, document: inserted, undo: [...state.undo, document], last: 'moving', recalled: null }
}

/** The longest start that all suggestions share. */
export function commonStart(suggestions: readonly Suggestion[]): string {
  const [first = '', ...rest] = suggestions.map(({ text }) => text)
  let length = first.length
  for (const each of rest) while (!each.startsWith(first.slice(0, length))) length--
  return first.slice(0, length)
}
