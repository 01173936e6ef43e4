// The calls of the open turn whose results the service does not have. The toolbox makes sure that none runs twice; this tells the
// model about calls whose turn ended too early. So a lost record is no harm, and nothing waits for the disk.
import { readdirSync, rmSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { toJson } from '@cowrie/sdk'
import { isRecord, readState, removeState } from '../system/state-file.ts'
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
    find: (callId) => readState(pathOf(callId), isLogged),
    start: ({ callId, tool }) => write(pathOf(callId), { state: 'started', callId, tool }),
    report: ({ callId, tool }, { ok, output, changes, summary }) =>
      write(pathOf(callId), {
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

async function write(path: string, logged: LoggedCall): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, toJson(logged), { mode: 0o600 })
    await rename(`${path}.new`, path)
  } catch {
    // As above.
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
