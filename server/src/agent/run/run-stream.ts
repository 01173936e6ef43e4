// The stream of a run: what the run may cost, the answer while it arrives, and the cost of each step.
import type { z } from 'zod'
import { chargeFor, type FinishedTurn } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import type { Nonce } from '../prompt/markers.ts'
import type { PreparedRun } from '../quote/prepare.ts'
import { usualCostOfWork } from '../quote/quote.ts'
import type { AgentRunFrame } from '../schema.ts'
import type { AgentRunId } from '../sql.ts'
import type { ParsedAnswer } from './answer.ts'
import { createLivePreview } from './live-preview.ts'
import type { RunStopSignals } from './stop-signals.ts'

export type RunStream = {
  /** How much of the answer the client has received. */
  readonly shownCharacters: number
  showText(text: string): Promise<void> | undefined
  /** A further answer has its own preview. */
  beginAnswer(nonce: Nonce): void
  step(step: 'plan' | 'edit' | 'repair', answer: ParsedAnswer, taken: readonly FinishedTurn[]): Promise<void>
}

type Frame =
  z.input<typeof AgentRunFrame> extends infer Each
    ? Each extends unknown
      ? Omit<Each, 'seq'>
      : never
    : never

type HeldRun = {
  readonly id: AgentRunId
  readonly actor: Actor
  readonly prepared: PreparedRun
  readonly stops: RunStopSignals
}

/** Opens the stream of a run whose money is held. */
export async function openRunStream(
  app: App,
  { id, actor, prepared, stops }: HeldRun,
  open: () => EventStream,
): Promise<RunStream> {
  const { route, budget, nonce } = prepared
  const usuallyMinor = await usualCostOfWork(app, actor, prepared, 'run', budget)
  const stream = open()
  stops.watch(stream.closed)
  const send = (frame: Frame) => stream.send(frame)
  const { lane, model } = route
  await send({ start: { id, lane, model, maxMinor: budget.maxMinor, usuallyMinor } })
  return createRunStream(send, nonce)
}

function createRunStream(send: (frame: Frame) => Promise<void>, nonce: Nonce): RunStream {
  let preview = createLivePreview(nonce)
  let shownCharacters = 0
  return {
    get shownCharacters() {
      return shownCharacters
    },
    showText(text) {
      const delta = preview(text)
      shownCharacters += delta.trim().length
      return delta === '' ? undefined : send({ delta })
    },
    beginAnswer(next) {
      preview = createLivePreview(next)
    },
    step: (step, { envelope, edits, failures }, taken) =>
      send({
        step,
        ok: step === 'plan' ? envelope.plan !== '' : edits.length > 0 && failures.length === 0,
        costMinor: costSoFar(taken),
        ...(step !== 'plan' && { files: edits.map(({ path, action }) => ({ path, action })) }),
        ...(step !== 'plan' &&
          failures.length > 0 && {
            failures: failures.map(({ path, message }) => ({ path, reason: message })),
          }),
      }),
  }
}

const costSoFar = (taken: readonly FinishedTurn[]): bigint =>
  taken.reduce((sum, { turn, used }) => sum + (used ? chargeFor(turn, used).chargedMinor : 0n), 0n)
