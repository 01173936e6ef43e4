// The draft of the next message with its suggestions.
import { accept, typedWord } from '../../editor/completion.ts'
import {
  type EditorState,
  type EditResult,
  edit,
  isEmpty,
  messageOf,
  openEditor,
  withText,
} from '../../editor/editor.ts'
import type { Key } from '../../editor/keys.ts'
import type { Message, ScreenOptions } from '../screen-types.ts'
import { inputWidth, type SuggestionList } from './input-rows.ts'

export type PromptEffect =
  | Exclude<EditResult['effect'], 'complete' | 'complete-back' | 'submit'>
  | { submit: Message }

/** The same message again does not fill the history. */
const HISTORY_MAX = 1_000

export class Prompt {
  editor: EditorState = openEditor()
  suggesting: SuggestionList | null = null
  /** The word whose suggestions the user closed. */
  #dismissed: string | null = null
  /** The newest question for suggestions; answers to earlier ones are dropped. */
  #asked = 0
  /** Messages of this process that are not in the loaded history. */
  readonly #sent: string[] = []
  readonly #options: Pick<ScreenOptions, 'history' | 'complete'>
  readonly #onChange: () => void

  constructor(options: Pick<ScreenOptions, 'history' | 'complete'>, onChange: () => void) {
    this.#options = options
    this.#onChange = onChange
  }

  get #history(): readonly string[] {
    return [...this.#options.history.messages, ...this.#sent].slice(-HISTORY_MAX)
  }

  get isEmpty(): boolean {
    return isEmpty(this.editor) && this.editor.search === null
  }

  press(key: Key, columns: number): PromptEffect {
    if (this.#pressInList(key)) return 'none'
    const { state, effect } = edit(this.editor, key, { history: this.#history, width: inputWidth(columns) })
    this.editor = state
    if (effect === 'complete' || effect === 'complete-back') return 'none'
    if (effect === 'submit') return this.#submit()
    if (effect === 'none') this.#suggest()
    return effect
  }

  /** Clears the text; Ctrl-Y brings it back. */
  clear(): void {
    const { document } = this.editor
    this.editor = { ...withText(this.editor, ''), killed: document.units }
    this.suggesting = null
  }

  setText(text: string): void {
    this.editor = withText(this.editor, text)
    this.#suggest()
  }

  closeSuggestions(): void {
    this.#dismissed = this.suggesting?.word.text ?? null
    this.suggesting = null
  }

  #submit(): PromptEffect {
    const message = messageOf(this.editor)
    if (message.text.trim() === '') return 'none'
    this.suggesting = null
    this.#dismissed = null
    this.editor = withText(this.editor, '')
    if (this.#history.at(-1) !== message.text) {
      this.#sent.push(message.text)
      this.#options.history.add(message.text)
    }
    return { submit: message }
  }

  /** Whether the list of suggestions took the key. */
  #pressInList(key: Key): boolean {
    const { suggesting } = this
    if (!suggesting || key.kind !== 'key') return false
    const { list, selected, isMoved, word } = suggesting
    const move = (by: number) => {
      this.suggesting = {
        ...suggesting,
        selected: (selected + by + list.length) % list.length,
        isMoved: true,
      }
      return true
    }
    if (key.name === 'down') return move(1)
    if (key.name === 'up' || key.name === 'shift-tab') return move(-1)
    if (key.name === 'escape') {
      this.closeSuggestions()
      return true
    }
    const chosen = list[selected]
    if (!chosen || !(key.name === 'tab' || (key.name === 'enter' && isMoved))) return false
    this.editor = accept(this.editor, word, chosen)
    this.suggesting = null
    this.#suggest()
    return true
  }

  #suggest(): void {
    // In an earlier message the arrows move on through the history.
    const word = this.editor.recalled ? null : typedWord(this.editor)
    if (!word || word.text === this.#dismissed) {
      this.suggesting = null
      return
    }
    this.#dismissed = null
    if (this.suggesting?.word.text === word.text && this.suggesting.word.from === word.from) return
    const asked = ++this.#asked
    void this.#options
      .complete(word.text)
      .catch(() => [])
      .then((list) => {
        if (asked !== this.#asked) return
        const now = typedWord(this.editor)
        if (now?.text !== word.text || now.from !== word.from) return
        const isDone = list.length === 1 && list[0]?.text === word.text
        this.suggesting = list.length === 0 || isDone ? null : { word, list, selected: 0, isMoved: false }
        this.#onChange()
      })
  }
}
