// Questions in the live region, one at a time: choices and single lines.
import { type EditorState, edit, messageOf, openEditor } from '../../editor/editor.ts'
import type { Key } from '../../editor/keys.ts'
import { bold, type Line } from '../line.ts'
import type { Question } from '../screen-types.ts'
import { inputWidth } from './input-rows.ts'
import { openQuestion, type QuestionView } from './question.ts'

type LineQuestion = { readonly prompt: string; editor: EditorState }

type Asking = {
  readonly view: QuestionView<unknown> | null
  readonly line: LineQuestion | null
  readonly sinceMs: number
  answer(value: unknown): void
}

export class Questions {
  /** The question on the screen. */
  shown: Asking | null = null
  #isOver = false
  /** Show the next questions. */
  readonly #waiting: (() => void)[] = []
  readonly #host: { nowMs(): number; print(lines: readonly Line[]): void; draw(): void }

  constructor(host: { nowMs(): number; print(lines: readonly Line[]): void; draw(): void }) {
    this.#host = host
  }

  choose<V>(question: Question<V>, signal?: AbortSignal): Promise<V | null> {
    return this.#ask<V>({ view: openQuestion<unknown>(question), line: null }, signal)
  }

  readLine(question: string, signal?: AbortSignal): Promise<string | null> {
    return this.#ask<string>({ view: null, line: { prompt: `${question} `, editor: openEditor() } }, signal)
  }

  press(key: Key, columns: number): void {
    const { shown } = this
    if (shown?.view) this.#choose(shown, shown.view, key)
    else if (shown?.line) this.#edit(shown, shown.line, key, columns)
  }

  /** All open questions end without an answer, and so do later ones. */
  close(): void {
    this.#isOver = true
    for (const show of this.#waiting.splice(0)) show()
    this.shown?.answer(null)
  }

  #choose({ answer }: Asking, { question, press }: QuestionView<unknown>, key: Key): void {
    const pressed = press(key)
    if (pressed === 'all') this.#host.print([question.title, ...(question.body ?? [])])
    else if (pressed === 'none') answer(null)
    else if (pressed !== null) {
      const choice = question.choices[pressed]
      this.#host.print([[...parts(question.title), ' ', bold(choice?.label ?? '')]])
      answer(choice?.value ?? null)
    }
  }

  #edit({ answer }: Asking, line: LineQuestion, key: Key, columns: number): void {
    const { state, effect } = edit(line.editor, key, {
      history: [],
      width: inputWidth(columns, line.prompt),
      isSingleLine: true,
    })
    line.editor = state
    if (effect === 'submit') {
      const { text, shown } = messageOf(state)
      this.#host.print([[line.prompt, bold(shown)]])
      answer(text)
    } else if (effect === 'escape' || effect === 'interrupt' || effect === 'quit') answer(null)
  }

  #ask<T>(question: Pick<Asking, 'view' | 'line'>, signal?: AbortSignal): Promise<T | null> {
    return new Promise((resolve) => {
      const answer = (value: unknown) => {
        signal?.removeEventListener('abort', giveUp)
        resolve(value as T | null)
        const index = this.#waiting.indexOf(show)
        if (index >= 0) this.#waiting.splice(index, 1)
        if (this.shown?.answer !== answer) return
        this.shown = null
        this.#waiting.shift()?.()
        this.#host.draw()
      }
      const giveUp = () => answer(null)
      const show = () => {
        if (this.#isOver) resolve(null)
        else {
          this.shown = { ...question, sinceMs: this.#host.nowMs(), answer }
          this.#host.draw()
        }
      }
      if (signal?.aborted) resolve(null)
      else {
        signal?.addEventListener('abort', giveUp, { once: true })
        if (this.shown) this.#waiting.push(show)
        else show()
      }
    })
  }
}

const parts = (line: Line) => (typeof line === 'string' ? [line] : line)
