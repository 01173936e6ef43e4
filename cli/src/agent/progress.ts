// The progress of a loop as one line.
import type { AgentRunLoopFrame } from '@cowrie/sdk'
import type { Result } from '../results/result.ts'
import { formatMoney } from '../spending/money.ts'

type StepFrame = Extract<AgentRunLoopFrame, { step: string }>
export type Unit = NonNullable<Result['currency']>

export type Progress = {
  /** Known once the service has started. */
  readonly runId: string | null
  readonly maxIters: number
  readonly isTested: boolean
  readonly last: StepFrame | null
}

export const started = (maxIters: number, isTested: boolean): Progress => ({
  runId: null,
  maxIters,
  isTested,
  last: null,
})

export function advance(progress: Progress, frame: AgentRunLoopFrame): Progress {
  if ('start' in frame) return { ...progress, runId: frame.start.id, maxIters: frame.start.maxIters }
  return 'step' in frame ? { ...progress, last: frame } : progress
}

/** `verify 2/3 · 14 s · ₦98.00 of at most ₦265.00` */
export function statusLine(progress: Progress, seconds: number, maxMinor: bigint, unit: Unit): string {
  const { step, turn } = currentStep(progress)
  const spentMinor = progress.last?.costMinor ?? 0n
  return `${step} ${turn}/${progress.maxIters} · ${seconds} s · ${spent(spentMinor, maxMinor, unit)}`
}

/** A finished step: `verify 1/3 · failed · 1 of 2 tests passed · ₦98.00 of at most ₦265.00` */
export function stepLine(frame: StepFrame, { maxIters }: Progress, maxMinor: bigint, unit: Unit): string {
  const { step, turn, ok, tests, files, failures, note, costMinor } = frame
  return [
    turn === 0 ? `${step} before the first` : `${step} ${turn}/${maxIters}`,
    ok ? 'ok' : 'failed',
    ...(tests ? [`${tests.passed} of ${tests.passed + tests.failed} tests passed`] : []),
    ...(files && files.length > 0 ? [files.map(({ path }) => path).join(', ')] : []),
    ...(failures ?? []).map(({ path, reason }) => `${path}: ${reason}`),
    ...(note ? [note] : []),
    spent(costMinor, maxMinor, unit),
  ].join(' · ')
}

const spent = (minor: bigint, maxMinor: bigint, unit: Unit): string =>
  `${formatMoney(minor, unit)} of at most ${formatMoney(maxMinor, unit)}`

/** The current step. */
function currentStep({ last, isTested, maxIters }: Progress): { step: StepFrame['step']; turn: number } {
  if (!last) return isTested ? { step: 'verify', turn: 0 } : { step: 'plan', turn: 1 }
  const { step, turn } = last
  if (turn === 0) return { step: 'plan', turn: 1 }
  if (step === 'plan' || step === 'retry') return { step: 'edit', turn }
  if (step === 'edit') return { step: 'verify', turn }
  return { step: 'verify', turn: Math.min(turn, maxIters) }
}
