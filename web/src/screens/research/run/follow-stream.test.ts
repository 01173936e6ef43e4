import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiFailure } from '../../../data/failure.ts'
import { backoffMs, type ConnectionState, followStream } from './follow-stream.ts'
import type { Frame } from './run-state.ts'

const AT = '2026-11-15T09:00:00.000Z'
const frame = (seq: number): Frame => ({ seq, at: AT, kind: 'phase', phase: 'read' })
const failure = (status: number) => new ApiFailure({ status, code: 'x', message: 'x' })

/** The frames of each connection. One with a failure breaks with it. */
type Connection = { frames: readonly Frame[]; breaks?: ApiFailure; stays?: true }

function start(...connections: Connection[]) {
  const [asked, taken, links] = [[] as number[], [] as number[], [] as ConnectionState[]]
  const failure: number[] = []
  const follower = followStream({
    async open(after, signal) {
      asked.push(after)
      const next = connections.shift() ?? { frames: [], stays: true }
      return say(next, signal)
    },
    take: ({ seq }) => void taken.push(seq),
    say: (link) => void links.push(link),
    refuse: ({ status }) => void failure.push(status),
  })
  return { follower, asked, taken, links, failure }
}

async function* say({ frames, breaks, stays }: Connection, signal: AbortSignal) {
  yield* frames
  if (breaks) throw breaks
  if (stays) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('following a run', () => {
  test('resumes after the last frame when its connection breaks, without duplicates', async () => {
    const { asked, taken, links } = start(
      { frames: [frame(1), frame(2)], breaks: failure(0) },
      { frames: [frame(2), frame(3)], breaks: failure(503) },
      { frames: [frame(4)], stays: true },
    )
    await vi.advanceTimersByTimeAsync(999)
    expect([asked, links.at(-1)]).toEqual([[0], 'lost'])
    await vi.advanceTimersByTimeAsync(1_001)
    expect(asked).toEqual([0, 2, 3])
    expect(taken).toEqual([1, 2, 3, 4])
    expect(links.at(-1)).toBe('live')
  })

  test('reconnects after 1, 2, 4 and at most 30 seconds without frames', async () => {
    expect([0, 1, 2, 3, 4, 5, 60].map(backoffMs)).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ])
    const broken = { frames: [], breaks: failure(0) }
    const { asked } = start(broken, broken, broken)
    await vi.advanceTimersByTimeAsync(2_999)
    expect(asked).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(4_001)
    expect(asked).toHaveLength(4)
  })

  test('does not reconnect after the end or a refusal', async () => {
    const done = { ...frame(2), kind: 'done' } as unknown as Frame
    const over = start({ frames: [frame(1), done] })
    const gone = start({ frames: [], breaks: failure(404) })
    await vi.advanceTimersByTimeAsync(120_000)
    over.follower.wake(true)
    gone.follower.wake(true)
    expect([over.asked, over.links.at(-1), over.failure]).toEqual([[0], 'over', []])
    expect([gone.asked, gone.links.at(-1), gone.failure]).toEqual([[0], 'over', [404]])
  })

  test('pauses while the page is hidden, and resumes when it is visible', async () => {
    const { follower, asked, links } = start({ frames: [frame(1)], stays: true })
    await vi.advanceTimersByTimeAsync(0)
    follower.rest()
    await vi.advanceTimersByTimeAsync(120_000)
    expect([asked, links.at(-1)]).toEqual([[0], 'resting'])
    follower.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect([asked, links.at(-1)]).toEqual([[0, 1], 'live'])
    // A live connection is kept, unless the device may have slept.
    follower.wake()
    expect(asked).toHaveLength(2)
    follower.wake(true)
    expect(asked).toEqual([0, 1, 1])
    follower.stop()
  })
})
