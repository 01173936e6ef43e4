import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { padTiming } from './timing-pad.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const taking = (ms: number, end: (done: (word: string) => void, fail: (error: Error) => void) => void) =>
  new Promise<string>((done, fail) => setTimeout(() => end(done, fail), ms))

async function timed(work: () => Promise<string>) {
  const beganMs = performance.now()
  const ended = padTiming(work).then(
    (said) => ({ said, ms: performance.now() - beganMs }),
    (error: Error) => ({ said: error.message, ms: performance.now() - beganMs }),
  )
  await vi.advanceTimersByTimeAsync(1_000)
  return ended
}

describe('padded timing', () => {
  test.for([
    [1, 50],
    [37, 50],
    [49, 50],
    [51, 100],
    [74, 100],
    [75, 100],
  ] as const)('work of %i ms is answered after %i', async ([took, answered]) => {
    expect(await timed(() => taking(took, (done) => done('well')))).toEqual({ said: 'well', ms: answered })
  })

  test('work that fails does so at once', async () => {
    const fails = () => taking(20, (_, fail) => fail(new Error('no')))
    expect(await timed(fails)).toEqual({ said: 'no', ms: 20 })
  })
})
