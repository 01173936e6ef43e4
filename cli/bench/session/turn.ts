// The form of a scripted session: the prompts of a person and the answers of the model, with calls that each client makes with its own tools.
import type { ToolStep } from '@cowrie/testkit/tasks/corpus/task.ts'

/** The words of the model before its calls, and the calls. */
export type Answer = readonly [words: string, ...calls: ToolStep[]]

export type Turn = {
  readonly prompt: string
  readonly answers: readonly Answer[]
  /** The last words of the model. */
  readonly result: string
}

export const turn = (prompt: string, answers: readonly Answer[], result: string): Turn => ({
  prompt,
  answers,
  result,
})
