// Enqueues a job in the transaction that makes it necessary.
import { assert } from '../../kernel/assert.ts'
import { after, type Duration } from '../../kernel/clock.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { toJson } from '../../kernel/json.ts'
import type { Tx } from '../db/tx.ts'
import { currentTrace } from '../log/trace-context.ts'
import { insertJob } from './sql.ts'

export type EnqueueOptions = {
  /** The organisation of the job: `perOrg` counts by it, and only it can see the job. */
  readonly org?: OrgId | undefined
  readonly key?: string | undefined
  /** Not before this instant. */
  readonly runAt?: Date | undefined
  /** Not before this time has passed. */
  readonly after?: Duration | undefined
}

const PAYLOAD_BYTES_MAX = 256 * 1024

/**
 * Adds a job in the transaction of the caller, so that both commit together. While a job of the same kind, organisation and `key`
 * is waiting, no second one is added. A running job does not count as waiting.
 */
export async function enqueue(
  tx: Tx,
  name: string,
  payload: unknown,
  options: EnqueueOptions = {},
): Promise<void> {
  const payloadText = toJson(payload ?? null)
  assert(
    Buffer.byteLength(payloadText) <= PAYLOAD_BYTES_MAX,
    `the payload of a ${name} job is at most 256 KiB; store larger data and pass its id`,
  )
  const { org = null, key = null, runAt, after: pause = {} } = options
  const dueAt = runAt ?? after(tx.now, pause)
  const traceparent = currentTrace()?.traceparent ?? null
  await insertJob(tx, { id: newId('job', tx.now.getTime()), name, org, key, payloadText, dueAt, traceparent })
  // Polling finds jobs that are due later.
  if (dueAt <= tx.now) tx.notify('jobs', name)
}
