// Follows a run across connection failures. Following does not affect the run.
import { CowrieError, outcomeOf, type ResearchRun, type ResearchStreamFrame } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'

const PAUSE_FIRST_MS = 1_000
const PAUSE_LAST_MS = 30_000
/** After this silence the command ends; the run continues. */
const GIVE_UP_MS = 10 * 60_000

export type Frame = ResearchStreamFrame

/** A replayed question may be answered already. */
async function requireResumed(
  client: Context['client'],
  id: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { needs } = await client.research.get(id, { signal })
  if (needs === null) return
  const isAnswer = needs === 'answer'
  throw new Failure(
    'run_waiting',
    isAnswer ? 'The run asks you a question.' : 'The plan waits for your approval.',
    {
      exit: EXIT.pending,
      next: isAnswer
        ? `Answer it with "cowrie research answer ${id} <text>".`
        : `Approve it with "cowrie research approve ${id}".`,
    },
  )
}

/** Calls `take` once for every frame in order; returns the finished run. */
export async function follow(
  { client, machine, signal, out }: Pick<Context, 'client' | 'machine' | 'signal' | 'out'>,
  id: string,
  take: (frame: Frame) => void,
): Promise<ResearchRun> {
  let seen = 0
  let heardAt = machine.nowMs()
  for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_LAST_MS)) {
    try {
      for await (const frame of client.research.stream(id, { after: seen }, { signal, retries: 0 })) {
        heardAt = machine.nowMs()
        pauseMs = PAUSE_FIRST_MS
        if (frame.seq <= seen) continue
        seen = frame.seq
        take(frame)
        if (frame.kind === 'done') return frame.run
        if (frame.kind === 'needs') await requireResumed(client, id, signal)
      }
    } catch (error) {
      if (!(error instanceof CowrieError) || outcomeOf(error) === 'decided') throw error
    }
    // Disconnected, silent or at the stream's time limit: missed frames are replayed.
    if (machine.nowMs() - heardAt > GIVE_UP_MS)
      throw new Failure(
        'run_pending',
        'The service has been unreachable for ten minutes. The run continues.',
        {
          exit: EXIT.pending,
          next: `Follow it with "cowrie research watch ${id}".`,
        },
      )
    out.progress('The connection broke. Reconnecting …')
    await machine.sleep(pauseMs, signal)
  }
}
