// The progress stream of a loop: numbered frames, and a preview of the answer while it arrives. Frames to a
// disconnected client are dropped.
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { cleanPath } from '../edits/apply/protected-paths.ts'
import { createEnvelopeReader } from '../edits/reader/envelope-reader.ts'
import { mark, type Nonce } from '../prompt/markers.ts'
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

// Longer lines are not a heading.
const HEADING_CHARACTERS = 400

/** Takes the next piece of an answer. Returns the text that can be shown. */
export function createLivePreview(nonce: Nonce): (text: string) => string {
  const reader = createEnvelopeReader(nonce)
  let line = ''
  return (text) => {
    let shown = ''
    for (const piece of text.split(/(?<=\n)/)) {
      shown += reader.push(piece)
      if (line.length <= HEADING_CHARACTERS) line += piece
      if (!piece.endsWith('\n')) continue
      shown += toFileHeading(nonce, line)
      line = ''
    }
    return shown
  }
}

function toFileHeading(nonce: Nonce, line: string): string {
  const start = mark(nonce, 'FILE ').slice(0, -2)
  const text = line.trim()
  if (!text.startsWith(start) || !text.endsWith(']]')) return ''
  const [, action, path = ''] = /^(create|update|delete) (.+)$/.exec(text.slice(start.length, -2)) ?? []
  return action !== undefined && 'path' in cleanPath(path) ? `${action} ${path}\n` : ''
}
