// A loop as its frames tell it: the steps so far with what each has cost, and what it is at. Pure.
import type { AgentRunLoopFrame } from '@cowrie/sdk'

type StepFrame = Extract<AgentRunLoopFrame, { step: string }>
export type ResultFrame = Extract<AgentRunLoopFrame, { result: unknown }>
export type StepName = StepFrame['step']

/** `costMinor` is what this step has cost, not all so far. */
export type DoneStep = Omit<StepFrame, 'seq'>

export type Progress = {
  /** Known once the service has begun. */
  readonly id: string | null
  readonly steps: readonly DoneStep[]
  readonly spentMinor: bigint
  /** Characters of the answer that is being written. */
  readonly written: number
}

export const NOTHING_YET: Progress = { id: null, steps: [], spentMinor: 0n, written: 0 }

export function after(progress: Progress, frame: AgentRunLoopFrame): Progress {
  if ('start' in frame) return { ...NOTHING_YET, id: frame.start.id }
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

/** What is under way, and what is to come before this round ends. */
export function ahead({ steps }: Progress, isTested: boolean): StepName[] {
  const last = steps.at(-1)
  if (!last) return isTested ? ['verify', 'plan', 'edit'] : ['plan', 'edit', 'verify']
  if (last.turn === 0) return ['plan', 'edit', 'verify']
  if (last.step === 'plan') return ['edit', 'verify']
  if (last.step === 'edit') return ['verify']
  if (last.step === 'retry') return ['edit', 'verify']
  return []
}
