// The progress of a loop, frame by frame.
import type { AgentRunLoopFrame } from '@cowrie/sdk'
import { expect, test } from 'vitest'
import { applyFrame, INITIAL_PROGRESS, remainingSteps } from './progress.ts'

const start = {
  id: 'agr_1',
  lane: 'open',
  model: 'm',
  sandbox: 'local',
  maxIters: 3,
  maxMinor: 4_000n,
  usuallyMinor: null,
} as const
const step = (
  name: 'plan' | 'edit' | 'verify' | 'retry',
  turn: number,
  costMinor: bigint,
): AgentRunLoopFrame => ({
  seq: 1,
  step: name,
  turn,
  ok: true,
  costMinor,
})

test('each step has its cost, computed from cumulative frames', () => {
  const frames: AgentRunLoopFrame[] = [
    { seq: 1, start },
    step('verify', 0, 0n),
    { seq: 2, delta: 'four' },
    step('plan', 1, 120n),
    step('edit', 1, 120n),
    step('verify', 1, 120n),
    step('retry', 1, 120n),
    step('edit', 2, 300n),
  ]
  const progress = frames.reduce(applyFrame, INITIAL_PROGRESS)
  expect(progress).toMatchObject({ id: 'agr_1', spentMinor: 300n, written: 0 })
  expect(progress.steps.map(({ costMinor }) => costMinor)).toEqual([0n, 120n, 0n, 0n, 0n, 180n])
})

test('the next steps follow from the previous ones', () => {
  const told = (...frames: AgentRunLoopFrame[]) =>
    remainingSteps(frames.reduce(applyFrame, INITIAL_PROGRESS), true)
  expect(remainingSteps(INITIAL_PROGRESS, false)).toEqual(['plan', 'edit', 'verify'])
  expect(told()).toEqual(['verify', 'plan', 'edit'])
  expect(told(step('verify', 0, 0n))).toEqual(['plan', 'edit', 'verify'])
  expect(told(step('plan', 1, 1n), step('edit', 1, 1n))).toEqual(['verify'])
  expect(told(step('verify', 1, 1n))).toEqual([])
  expect(told(step('retry', 1, 1n))).toEqual(['edit', 'verify'])
})
