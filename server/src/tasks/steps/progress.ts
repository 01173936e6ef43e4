// Detects a model that repeats itself, from the stored steps.
import { toolInputOf, toolOutcomeOf } from './step-types.ts'
import type { StepOfTask } from './turn-context.ts'

const SAME_MAX = 4
const FAILURES_MAX = 8
const ALTERNATION = 8

/** Whether the last calls show no progress: the same call with the same result, two calls in turn, or only failures. */
export function isStuck(steps: readonly StepOfTask[]): boolean {
  const calls = steps.filter(isFinishedCall)
  const same = calls.slice(-SAME_MAX)
  if (same.length === SAME_MAX && same.every((call) => isSameCall(call, same[0]))) return true
  const recent = calls.slice(-ALTERNATION)
  if (recent.length === ALTERNATION && new Set(recent.map(signatureOf)).size <= 2) return true
  const last = calls.slice(-FAILURES_MAX)
  return last.length === FAILURES_MAX && last.every((step) => toolOutcomeOf(step)?.ok === false)
}

/** How often each finished call of a turn was made in a row with the same result. */
export function countRepeats(steps: readonly StepOfTask[]): ReadonlyMap<StepOfTask, number> {
  const repeats = new Map<StepOfTask, number>()
  let before: StepOfTask | undefined
  for (const call of steps.filter(isFinishedCall)) {
    repeats.set(call, isSameCall(call, before) ? (repeats.get(before) ?? 0) + 1 : 1)
    before = call
  }
  return repeats
}

const isFinishedCall = ({ kind, doneAt }: StepOfTask): boolean => kind === 'tool' && doneAt !== null

function isSameCall(a: StepOfTask, b: StepOfTask | undefined): b is StepOfTask {
  if (b === undefined) return false
  const [left, right] = [toolInputOf(a), toolInputOf(b)]
  const [before, after] = [toolOutcomeOf(a), toolOutcomeOf(b)]
  return (
    left.tool === right.tool &&
    left.arguments === right.arguments &&
    before?.ok === after?.ok &&
    before?.output === after?.output
  )
}

function signatureOf(step: StepOfTask): string {
  const { tool, arguments: text } = toolInputOf(step)
  const outcome = toolOutcomeOf(step)
  return JSON.stringify([tool, text, outcome?.ok, outcome?.output])
}
