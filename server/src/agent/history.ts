// Past runs: the request, the result and the cost. A client can apply a result on another device.
import { ApiError, ERRORS, type ErrorCode } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { decodeTimeCursor, toPage } from '../platform/http/page.ts'
import type { FileEdit } from './edits/apply/apply.ts'
import * as sql from './history-sql.ts'
import type { AgentRunKind, AgentRunStatus } from './sql.ts'

// Lists show this many characters of long texts.
const LISTED_CHARACTERS = 1_000

export type RunSearch = {
  kind?: AgentRunKind | undefined
  status?: AgentRunStatus | undefined
  cursor?: string | undefined
  limit: number
}

/** The runs of the organisation, newest first. */
export async function listRuns(app: App, { orgId }: Actor, { kind, status, cursor, limit }: RunSearch) {
  const before = cursor === undefined ? null : decodeTimeCursor(cursor)
  const filter = { kind: kind ?? null, status: status ?? null }
  const rows = await app.db.tx(orgId, (tx) =>
    sql.listRuns(tx, orgId, filter, before, LISTED_CHARACTERS, limit + 1),
  )
  const { items, nextCursor } = toPage(rows, limit, ({ createdAt, id }) => [createdAt, id])
  return { runs: items.map(toApiRun), nextCursor }
}

export async function readRun(app: App, { orgId }: Actor, id: string) {
  const row = await app.db.tx(orgId, (tx) => sql.findRun(tx, orgId, id))
  if (!row) throw new ApiError('not_found')
  return toApiRun(row)
}

function toApiRun<Edit extends Pick<FileEdit, 'path' | 'action'>>(row: sql.AgentRunRow<Edit>) {
  const { errorCode, plan, summary, edits, review, details, ...run } = row
  const { id, lane, model, costMinor } = run
  // Charged results are kept, no matter how the run ended.
  const hasResult = row.status === 'completed' || row.iterations > 0
  return {
    ...run,
    cancelled: row.status === 'cancelled',
    ...toRunFailure(row),
    result: hasResult
      ? { ...details, id, plan, edits, summary, lane, model, costMinor, ...(review && { review }) }
      : null,
  }
}

const INTERRUPTED =
  'The service was interrupted during this run; only what is listed was charged. Start it again.'

const SANDBOX_FAILED =
  'The sandbox failed, so the tests could not be run. Nothing was charged. Start the run again.'

function toRunFailure({
  status,
  stopReason,
  errorCode,
}: Pick<sql.AgentRunRow, 'status' | 'stopReason' | 'errorCode'>): { error?: string; code?: string } {
  if (status !== 'failed') return {}
  if (stopReason === 'sandbox_failed') return { error: SANDBOX_FAILED, code: stopReason }
  if (errorCode === null) return { error: INTERRUPTED, code: stopReason ?? 'interrupted' }
  const isKnown = Object.hasOwn(ERRORS, errorCode)
  return { error: ERRORS[isKnown ? (errorCode as ErrorCode) : 'internal'].message, code: errorCode }
}
