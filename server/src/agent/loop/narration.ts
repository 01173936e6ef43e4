// What the client of a loop hears while it goes on. Frames are numbered; to a client that has gone nothing is said.
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { LoopFrame, StepFrame } from './schema.ts'

type Unnumbered<Frame> = Frame extends unknown ? Omit<Frame, 'seq'> : never

export type Narration = {
  /** Resolves when the client can take more. */
  say(frame: Unnumbered<LoopFrame>): Promise<void>
  step(step: Omit<StepFrame, 'seq'>): Promise<void>
  /** The number of the last frame, which is sent by whoever stores it. */
  lastSeq(): number
}

export function narrate(stream: Pick<EventStream, 'send'>): Narration {
  let seq = 0
  const say = (frame: Unnumbered<LoopFrame>) => stream.send({ seq: ++seq, ...frame })
  return { say, step: say, lastSeq: () => ++seq }
}
