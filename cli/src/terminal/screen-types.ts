// The terminal of a session: an append-only history with a small live region below it. Everything shown is neutralised here.
import type { Line, Span } from './line.ts'

export type Screen = {
  columns(): number
  /** Appends finished lines to the history. */
  print(lines: readonly Line[]): void
  /** Appends Markdown as it arrives. */
  openAnswer(kind: 'text' | 'reasoning'): AnswerView
  /** The current work, with a spinner and the elapsed time; null removes it. */
  setActivity(text: string | null): void
  /** The last lines of a running command; an empty list removes them. */
  setTail(lines: readonly string[]): void
  /** The most important part first. Parts that do not fit are left out from the end. */
  setStatus(parts: readonly (string | Span)[]): void
  /** The first frame, with the input. Messages that are typed before `readMessage` wait for it. */
  greet(lines: readonly Line[], status: readonly (string | Span)[]): void
  /** The next message of the user; null when they quit. */
  readMessage(options?: { readonly initial?: string }): Promise<Message | null>
  /** The immediate action for a message that is sent during work; null for one that waits for `readMessage`. */
  answerAtOnce(answer: (text: string) => (() => void) | null): void
  /** Runs work whose signal aborts with Esc or Ctrl-C. Messages that are typed meanwhile wait for `readMessage`. */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** A choice by key or by arrows; null for Esc or Ctrl-C. Works also inside `during`. */
  choose<V>(question: Question<V>, signal?: AbortSignal): Promise<V | null>
  /** One line, such as a reason or an amount; null for Esc. */
  readLine(question: string, signal?: AbortSignal): Promise<string | null>
  close(): void
}

export type AnswerView = {
  write(text: string): void
  /** The model starts again. A line tells the user, because the history cannot be taken back. */
  restart(): void
  end(): void
}

export type Message = {
  /** With everything that was pasted. */
  readonly text: string
  /** As shown, with marks such as [pasted 120 lines]. */
  readonly shown: string
}

export type Question<V> = {
  readonly title: Line
  /** Such as a diff. Long ones are cut with a count; a choice may show the rest. */
  readonly body?: readonly Line[]
  readonly choices: readonly { readonly key: string; readonly label: string; readonly value: V }[]
  /** Chosen by Enter. */
  readonly usual?: V
}

export type Suggestion = { readonly text: string; readonly label?: string }

export type ScreenOptions = {
  readonly theme: 'dark' | 'light' | 'none'
  /** No cursor movement, no spinner, words instead of colour: for screen readers and dumb terminals. */
  readonly isPlain: boolean
  /** Earlier messages, newest last, and a place for new ones. They may be loaded after the first frame. */
  readonly history: { readonly messages: readonly string[]; add(message: string): void }
  /** For `/…` at the start and `@…` anywhere. */
  complete(typed: string): Promise<readonly Suggestion[]>
  /** Variables that describe the terminal. Default: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Ctrl-C again while work does not stop. Default: the process ends. */
  quit?(): void
}

/** Standard input or a part of it. */
export type TerminalInput = {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  on(event: 'end' | 'close', listener: () => void): unknown
  off(event: 'data', listener: (chunk: Buffer) => void): unknown
  off(event: 'end' | 'close', listener: () => void): unknown
  resume(): unknown
  pause(): unknown
}

export type TerminalOutput = {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly rows?: number
  /** False if the terminal is slower than we are; `drain` follows. */
  write(text: string): boolean
  on(event: 'resize' | 'drain', listener: () => void): unknown
  off(event: 'resize' | 'drain', listener: () => void): unknown
}
