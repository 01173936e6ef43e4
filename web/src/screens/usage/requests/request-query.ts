// The filters of the request list, and the queries that they stand for.
import type { UsageRequestSummaryQuery, UsageRequestsQuery } from '@cowrie/sdk'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The days of the list. One day is shown by hour. */
export const RANGES = [1, 7, 30, 90] as const

/** Empty texts stand for all. `bar` is the start of the chosen hour or day. */
export type RequestFilter = {
  readonly days: number
  readonly status: '' | 'success' | 'failed'
  readonly keyId: string
  readonly model: string
  readonly bar: string | null
}

export const FIRST: RequestFilter = { days: 7, status: '', keyId: '', model: '', bar: null }

export const bucketOf = ({ days }: RequestFilter): 'hour' | 'day' => (days === 1 ? 'hour' : 'day')

/** From the start of an hour or day, so that the first bar is full. */
export function summaryQuery(filter: RequestFilter, nowMs: number): UsageRequestSummaryQuery {
  const bucket = bucketOf(filter)
  const stepMs = bucket === 'hour' ? HOUR_MS : DAY_MS
  const steps = bucket === 'hour' ? 24 : filter.days
  const from = Math.floor(nowMs / stepMs) * stepMs - (steps - 1) * stepMs
  return { bucket, from: new Date(from).toISOString(), ...fieldsOf(filter) }
}

export function listQuery(filter: RequestFilter, nowMs: number): UsageRequestsQuery {
  const { from } = summaryQuery(filter, nowMs)
  if (filter.bar === null) return { ...(from !== undefined && { from }), ...fieldsOf(filter) }
  const stepMs = bucketOf(filter) === 'hour' ? HOUR_MS : DAY_MS
  const end = new Date(new Date(filter.bar).getTime() + stepMs).toISOString()
  return { from: filter.bar, to: end, ...fieldsOf(filter) }
}

const fieldsOf = ({ status, keyId, model }: RequestFilter) => ({
  ...(status && { status }),
  ...(keyId && { keyId }),
  ...(model && { model }),
})
