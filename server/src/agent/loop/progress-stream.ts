// What the client of a loop hears while it goes on. Frames are numbered; to a client that has gone nothing is said.
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { LoopFrame, StepFrame } from './schema.ts'

type WithoutSeq<Frame> = Frame extends unknown ? Omit<Frame, 'seq'> : never

export type ProgressStream = {
  /** Resolves when the client can take more. */
  send(frame: WithoutSeq<LoopFrame>): Promise<void>
  step(step: Omit<StepFrame, 'seq'>): Promise<void>
  /** The number of the last frame, which is sent by whoever stores it. */
  nextSeq(): number
}

export function createProgressStream(stream: Pick<EventStream, 'send'>): ProgressStream {
  let seq = 0
  const say = (frame: WithoutSeq<LoopFrame>) => stream.send({ seq: ++seq, ...frame })
  return { send: say, step: say, nextSeq: () => ++seq }
}
