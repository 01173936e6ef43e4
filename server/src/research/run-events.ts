// Events of a run. They are stored in the transaction of the fact, and clients can replay them.

import type { Lane } from '../metering/metering.ts'
import type { Tx } from '../platform/db/tx.ts'
import { appendAll } from '../platform/streams/streams.ts'
import type { ReportFile, ResearchPhase } from './runs-sql.ts'
import type { ResearchFinding, ResearchRunId, ResearchStopReason, RunNeeds, TurnPurpose } from './types.ts'

export type RunEvent =
  | { kind: 'phase'; phase: ResearchPhase; pass?: number }
  | { kind: 'plan'; subquestions: string[]; by: 'model' | 'rules' | 'user' }
  /** The run waits for its user. `questions` is empty for an approval. */
  | { kind: 'needs'; needs: RunNeeds; questions: readonly string[] }
  | { kind: 'resumed'; answer: string | null }
  | { kind: 'search'; pass: number; query: string; hits: number; trouble: string | null }
  | {
      kind: 'source'
      n: number
      url: string
      title: string
      status: 'read' | 'failed' | 'skipped'
      reason: string | null
    }
  | ({ kind: 'finding' } & Pick<ResearchFinding, 'id' | 'claim' | 'quote' | 'sources'>)
  | {
      kind: 'turn'
      purpose: TurnPurpose
      lane: Lane
      model: string
      tokens: number
      costMinor: bigint
      spentMinor: bigint
    }
  | { kind: 'warning'; code: string; message: string }
  | { kind: 'report'; files: ReportFile[] }
  | { kind: 'done'; status: string; stopReason: ResearchStopReason; spentMinor: bigint }

const APPEND_BATCH = 500

export async function appendEvents(tx: Tx, run: ResearchRunId, events: readonly RunEvent[]): Promise<void> {
  for (let at = 0; at < events.length; at += APPEND_BATCH)
    await appendAll(tx, run, events.slice(at, at + APPEND_BATCH))
}
