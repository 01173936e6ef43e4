// The state of a loop from its events: steps with costs, and the current step. Pure.
import type { AgentRunLoopFrame } from '@cowrie/sdk'

type StepFrame = Extract<AgentRunLoopFrame, { step: string }>
export type ResultFrame = Extract<AgentRunLoopFrame, { result: unknown }>
export type StepName = StepFrame['step']

/** `costMinor` is the cost of this step alone. */
export type FinishedStep = Omit<StepFrame, 'seq'>

export type Progress = {
  /** Known once the service has started the run. */
  readonly id: string | null
  readonly steps: readonly FinishedStep[]
  readonly spentMinor: bigint
  /** Characters written so far in the current answer. */
  readonly written: number
}

export const INITIAL_PROGRESS: Progress = { id: null, steps: [], spentMinor: 0n, written: 0 }

export function applyFrame(progress: Progress, frame: AgentRunLoopFrame): Progress {
  if ('start' in frame) return { ...INITIAL_PROGRESS, id: frame.start.id }
  if ('delta' in frame) return { ...progress, written: progress.written + frame.delta.length }
  if ('step' in frame) {
    const { seq: _, costMinor, ...step } = frame
    return {
      ...progress,
      steps: [...progress.steps, { ...step, costMinor: costMinor - progress.spentMinor }],
      spentMinor: costMinor,
      written: 0,
    }
  }
  return { ...progress, id: frame.id, spentMinor: frame.totalCostMinor, written: 0 }
}

/** The current step and the remaining ones of this round. */
export function remainingSteps({ steps }: Progress, isTested: boolean): StepName[] {
  const last = steps.at(-1)
  if (!last) return isTested ? ['verify', 'plan', 'edit'] : ['plan', 'edit', 'verify']
  if (last.turn === 0) return ['plan', 'edit', 'verify']
  if (last.step === 'plan') return ['edit', 'verify']
  if (last.step === 'edit') return ['verify']
  if (last.step === 'retry') return ['edit', 'verify']
  return []
}
