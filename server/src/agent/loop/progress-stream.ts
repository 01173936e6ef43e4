// The progress stream of a loop: numbered frames. Frames to a disconnected client are dropped.
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { LoopFrame, StepFrame } from './schema.ts'

type WithoutSeq<Frame> = Frame extends unknown ? Omit<Frame, 'seq'> : never

export type ProgressStream = {
  /** Resolves when the client can take more. */
  send(frame: WithoutSeq<LoopFrame>): Promise<void>
  step(step: Omit<StepFrame, 'seq'>): Promise<void>
  /** The number of the last frame, which the commit sends. */
  nextSeq(): number
}

export function createProgressStream(stream: Pick<EventStream, 'send'>): ProgressStream {
  let seq = 0
  const send = (frame: WithoutSeq<LoopFrame>) => stream.send({ seq: ++seq, ...frame })
  return { send, step: send, nextSeq: () => ++seq }
}
