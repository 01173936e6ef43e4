// The outputs of the results that a caller sent. Some are sent as the difference from an earlier output of the task.
import { createHash } from 'node:crypto'
import { ApiError } from '../../kernel/errors.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { OUTPUT_CHARACTERS_MAX, type ToolResults } from '../request-schema.ts'
import { findOutput } from '../steps-sql.ts'
import type { Task } from '../tasks-sql.ts'
import { rebuildOutput } from './rebuild-output.ts'

type SentResult = ToolResults['results'][number]
export type WholeResult = Pick<SentResult, 'callId' | 'ok' | 'changes'> & { readonly output: string }

/** All outputs of a request, as large as the largest body without differences. */
const TOTAL_CHARACTERS_MAX = 8 * 1024 * 1024

/**
 * The caller hides its secrets before it sends an output, and its digest is of that text. The service stores an output after its own
 * mask. If that changed the lines that a difference copies, the digest differs, and the caller sends the output whole.
 */
export async function wholeOutputs(
  tx: Tx,
  task: Task,
  results: readonly SentResult[],
): Promise<WholeResult[]> {
  const outputs = new Map<string, string>()
  let room = TOTAL_CHARACTERS_MAX
  const whole: WholeResult[] = []
  for (const { callId, ok, changes, ...sent } of results) {
    const output = sent.output ?? (await rebuild({ callId, ...sent }, Math.min(room, OUTPUT_CHARACTERS_MAX)))
    room -= output.length
    outputs.set(callId, output)
    whole.push({ callId, ok, output, changes })
  }
  return whole

  async function rebuild(
    { callId, base = '', sha256, delta = [] }: Omit<SentResult, 'ok' | 'changes'>,
    charactersMax: number,
  ): Promise<string> {
    const known = outputs.get(base) ?? (await storedOutput(tx, task, base))
    const rebuilt = known === null ? null : rebuildOutput(known, delta, charactersMax)
    if (rebuilt === 'too_large') throw new ApiError('body_too_large', { callId })
    if (rebuilt === null || createHash('sha256').update(rebuilt.text).digest('hex') !== sha256)
      throw new ApiError('base_unknown', { callId })
    return rebuilt.text
  }
}

async function storedOutput(tx: Tx, { orgId, id }: Task, callId: string): Promise<string | null> {
  const found = await findOutput(tx, orgId, id, callId)
  if (!found?.doneAt) return null
  return found.fullOutput ?? (found.outcome as { output?: string } | null)?.output ?? null
}
