// The reports of calls by their id, on disk before they are returned, so that no call runs twice after a crash.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolCall, ToolReport } from '../session/types.ts'
import { isRecord, readState, removeState, writeState } from '../system/state-file.ts'

export type StoredCall = {
  readonly callId: string
  readonly turnId: string
  readonly tool: string
  /**
   * `started`: it may have done anything. `planned`: the report holds only if the change is in the undo records. `done`: the report
   * is final.
   */
  readonly state: 'started' | 'planned' | 'done'
  /** Null while it is only started. */
  readonly report: ToolReport | null
}

export type CallStore = {
  find(callId: string): StoredCall | null
  findById(id: string): StoredCall | null
  write(call: ToolCall, state: StoredCall['state'], report: ToolReport | null): Promise<void>
}

/** Names the call in file names. */
export const idOfCall = (callId: string): string =>
  createHash('sha256').update(callId).digest('hex').slice(0, 32)

/** The service asks again only for calls of an open turn. */
const KEPT_MAX = 2_000
const PRUNED_EVERY = 200

export function openCallStore(folder: string): CallStore {
  const pathOf = (id: string) => join(folder, `${id}.json`)
  const order: string[] = []
  let writes = 0
  const findById = (id: string) => readState(pathOf(id), isStored)
  return {
    findById,
    find(callId) {
      const stored = findById(idOfCall(callId))
      return stored?.callId === callId ? stored : null
    },
    async write({ callId, turnId, tool }, state, report) {
      const kept = report && withoutDetails(report)
      await writeState(pathOf(idOfCall(callId)), { callId, turnId, tool, state, report: kept })
      order.push(idOfCall(callId))
      if (++writes % PRUNED_EVERY === 0) prune(folder, new Set(order.slice(-PRUNED_EVERY * 2)))
    },
  }
}

/** Details are lines for the terminal that showed them already. */
const withoutDetails = ({ details: _, ...report }: ToolReport): ToolReport => report

/** Removes reports without changes: those of changes are part of the undo records. */
function prune(folder: string, recent: ReadonlySet<string>): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  if (names.length <= KEPT_MAX) return
  for (const name of names) {
    if (recent.has(name.slice(0, -'.json'.length))) continue
    const stored = readState(join(folder, name), isStored)
    if (stored?.state === 'done' && !stored.report?.changes?.length) removeState(join(folder, name))
  }
}

const isStored = (value: unknown): value is StoredCall =>
  isRecord(value) &&
  typeof value.callId === 'string' &&
  typeof value.turnId === 'string' &&
  typeof value.tool === 'string' &&
  (value.state === 'started' || value.state === 'planned' || value.state === 'done') &&
  (value.report === null || isReport(value.report))

const isReport = (value: unknown): value is ToolReport =>
  isRecord(value) &&
  typeof value.ok === 'boolean' &&
  typeof value.output === 'string' &&
  typeof value.summary === 'string' &&
  (value.changes === undefined ||
    (Array.isArray(value.changes) &&
      value.changes.every(
        (each) => isRecord(each) && typeof each.path === 'string' && typeof each.patch === 'string',
      )))
