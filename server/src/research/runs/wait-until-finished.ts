// Waiting for the end of a run that somebody has cancelled: the turn under way is finished first.
import type { App } from '../../platform/app.ts'
import { follow } from '../../platform/streams/streams.ts'
import type { RunRecord } from '../runs-sql.ts'

// Shorter than a call may take. Who hears that it has not finished yet can look again.
const WAIT_MS = 10_000

/** Its stream closes in the transaction of its end. Gives up when whoever waits has gone or time is over. */
export async function waitUntilFinished(
  app: App,
  { id, orgId }: Pick<RunRecord, 'id' | 'orgId'>,
  gone: AbortSignal,
): Promise<void> {
  const enough = AbortSignal.any([gone, AbortSignal.timeout(WAIT_MS)])
  for await (const _event of follow(app, orgId, id, Number.MAX_SAFE_INTEGER, enough)) {
    // Nothing is as late as that: only the end is waited for.
  }
}
