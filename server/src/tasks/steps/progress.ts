// Detects a model that repeats itself, from the stored steps.
import { toolInputOf, toolOutcomeOf } from './step-types.ts'
import type { StepOfTask } from './turn-context.ts'

const SAME_MAX = 4
const FAILURES_MAX = 8
const ALTERNATION = 8

/** Whether the last calls show no progress: the same call with the same result, two calls in turn, or only failures. */
export function isStuck(steps: readonly StepOfTask[]): boolean {
  const calls = steps.filter(({ kind, doneAt }) => kind === 'tool' && doneAt !== null)
  const marks = calls.map(signatureOf)
  if (sameAtEnd(marks) >= SAME_MAX) return true
  const recent = marks.slice(-ALTERNATION)
  if (recent.length === ALTERNATION && new Set(recent).size <= 2) return true
  const last = calls.slice(-FAILURES_MAX)
  return last.length === FAILURES_MAX && last.every((step) => toolOutcomeOf(step)?.ok === false)
}

/** How often the last call was made in a row with the same result. */
export function repeatsAt(steps: readonly StepOfTask[], at: StepOfTask): number {
  const until = steps.filter(
    ({ kind, doneAt, turnId, n }) => kind === 'tool' && doneAt !== null && turnId === at.turnId && n <= at.n,
  )
  return sameAtEnd(until.map(signatureOf))
}

function sameAtEnd(marks: readonly string[]): number {
  const last = marks.at(-1)
  const other = marks.findLastIndex((mark) => mark !== last)
  return marks.length - 1 - other
}

function signatureOf(step: StepOfTask): string {
  const { tool, arguments: text } = toolInputOf(step)
  const outcome = toolOutcomeOf(step)
  return JSON.stringify([tool, text, outcome?.ok, outcome?.output])
}
