// Follows the request log: new calls as they end, with one small request every two seconds.
import { CowrieError, type RequestRow, type UsageRequestsQuery } from '@cowrie/sdk'
import type { Context } from '../command.ts'

const INTERVAL_MS = 2_000
/** With --data-saver. */
const SAVING_INTERVAL_MS = 10_000
const WAIT_MAX_MS = 60_000
const PAGE = 200
const SETTLING_MS = 5_000
const DOUBLINGS_MAX = 10

type Filter = Pick<UsageRequestsQuery, 'keyId' | 'model' | 'status' | 'from'>

/** Shows the newest calls, then later ones until Ctrl-C. A failing service is asked less and less often. */
export async function followRequests(
  context: Context,
  filter: Filter,
  first: number,
  show: (row: RequestRow) => void,
): Promise<void> {
  const { client, values, config, machine, signal, out } = context
  const intervalMs = values['data-saver'] || config.dataSaver ? SAVING_INTERVAL_MS : INTERVAL_MS
  const newest = await client.usage.requests({ ...filter, limit: Math.min(first, PAGE) }, { signal })
  const shown = new Set(newest.requests.map(({ id }) => id))
  for (const row of newest.requests.toReversed()) show(row)
  // Rows of the last seconds may still get an earlier neighbour.
  const settledBefore = new Date(machine.now().getTime() - SETTLING_MS).toISOString()
  let last = newest.requests.find(({ at }) => at < settledBefore)?.id
  let failures = 0
  while (await waited(context, Math.min(intervalMs * 2 ** failures, WAIT_MAX_MS))) {
    try {
      const found = await later(context, filter, last)
      for (const row of found) if (!shown.has(row.id)) show(row)
      last = found.at(-1)?.id ?? last
      failures = 0
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof CowrieError) || !isTemporary(error)) throw error
      if (failures === 0) out.warn(`${error.message} Still following.`)
      failures = Math.min(failures + 1, DOUBLINGS_MAX)
      if (!(await waited(context, Math.min((error.retryAfter ?? 0) * 1000, WAIT_MAX_MS)))) return
    }
  }
}

/** False when Ctrl-C ended the wait. */
const waited = ({ machine, signal }: Context, ms: number): Promise<boolean> =>
  machine.sleep(ms, signal).then(
    () => true,
    () => false,
  )

/** Oldest first. Without any call so far, there is no id to start from. */
async function later(
  { client, signal }: Context,
  filter: Filter,
  last: string | undefined,
): Promise<RequestRow[]> {
  const query = { ...filter, limit: PAGE, ...(last !== undefined && { after: last }) }
  const { requests } = await client.usage.requests(query, { signal, retries: 0 })
  return last === undefined ? requests.toReversed() : requests
}

const isTemporary = ({ status }: CowrieError): boolean => status === 0 || status === 429 || status >= 500
