// What is known about the calls of the open turn, so that no call runs twice: a call is marked before it runs, and its report is
// stored before it is sent.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, readState, removeState } from '../system/state-file.ts'
import { writeDurably } from './session-files.ts'
import type { ToolCall, ToolReport } from './types.ts'

export type LoggedCall =
  | { readonly state: 'started'; readonly callId: string; readonly tool: string }
  | {
      readonly state: 'reported'
      readonly callId: string
      readonly tool: string
      readonly report: ToolReport
    }

export type CallLog = {
  find(callId: string): LoggedCall | null
  start(call: ToolCall): Promise<void>
  report(call: ToolCall, report: ToolReport): Promise<void>
  /** The service has the reports of these calls. */
  remove(callIds: readonly string[]): void
  /** The turn has ended. */
  clear(): void
  /** All calls that the service has no report of. */
  list(): readonly LoggedCall[]
}

export function openCallLog(folder: string): CallLog {
  const pathOf = (callId: string) => join(folder, `${callId.replace(/[^\w-]/g, '_')}.json`)
  return {
    find(callId) {
      const path = pathOf(callId)
      const logged = readState(path, isLogged)
      // A mark that cannot be read is still a mark.
      return logged ?? (existsSync(path) ? { state: 'started', callId, tool: '' } : null)
    },
    start: ({ callId, tool }) => writeDurably(pathOf(callId), { state: 'started', callId, tool }),
    report: ({ callId, tool }, { ok, output, changes, summary }) =>
      writeDurably(pathOf(callId), {
        state: 'reported',
        callId,
        tool,
        report: { ok, output, summary, ...(changes && { changes }) },
      }),
    remove(callIds) {
      for (const callId of callIds) removeState(pathOf(callId))
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
    list() {
      let names: string[]
      try {
        names = readdirSync(folder)
      } catch {
        return []
      }
      return names
        .filter((name) => name.endsWith('.json'))
        .flatMap((name) => readState(join(folder, name), isLogged) ?? [])
    },
  }
}

const isLogged = (value: unknown): value is LoggedCall =>
  isRecord(value) &&
  typeof value.callId === 'string' &&
  typeof value.tool === 'string' &&
  (value.state === 'started' || (value.state === 'reported' && isReport(value.report)))

const isReport = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.ok === 'boolean' &&
  typeof value.output === 'string' &&
  typeof value.summary === 'string' &&
  (value.changes === undefined || Array.isArray(value.changes))
