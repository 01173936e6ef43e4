// The events of a task, grouped by turn. Pure.
import type { TaskEvent } from '@cowrie/sdk'

export type TextItem = {
  readonly kind: 'text'
  readonly step: number
  readonly attempt: number
  readonly isReasoning: boolean
  readonly text: string
}
export type ToolItem = {
  readonly kind: 'tool'
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  readonly state: 'running' | 'ok' | 'failed' | 'client' | 'approval'
  readonly output: string
  readonly isTruncated: boolean
  /** Why the call needs an approval. */
  readonly reason: string | null
}
export type NoteItem = { readonly kind: 'note'; readonly seq: number; readonly note: string }
export type LogItem = TextItem | ToolItem | NoteItem
export type FileChange = {
  readonly action: 'create' | 'update' | 'delete'
  readonly added: number
  readonly removed: number
}
export type TurnLog = {
  readonly items: readonly LogItem[]
  /** By path, the last change of each file; lines are added up. */
  readonly changes: ReadonlyMap<string, FileChange>
  readonly spentMinor: bigint
  readonly modelCalls: number
  /** The current activity of the service, such as `verifying`. */
  readonly phase: string | null
}
export type TaskLog = {
  readonly turns: ReadonlyMap<string, TurnLog>
  /** The turn whose files were restored after the last turn; null otherwise. */
  readonly revertedTo: string | null
}

export const NO_EVENTS: TaskLog = { turns: new Map(), revertedTo: null }
const EMPTY_TURN: TurnLog = { items: [], changes: new Map(), spentMinor: 0n, modelCalls: 0, phase: null }

/** Events must be in order, each once. */
export function addEvents(log: TaskLog, events: readonly TaskEvent[]): TaskLog {
  const turns = new Map(log.turns)
  let { revertedTo } = log
  for (const event of events) {
    if (event.turnId === null) {
      if (event.kind === 'status' && event.note === 'reverted') revertedTo = event.detail ?? null
      continue
    }
    if (event.kind === 'status' && event.status === 'queued') revertedTo = null
    turns.set(event.turnId, addEvent(turns.get(event.turnId) ?? EMPTY_TURN, event))
  }
  return { turns, revertedTo }
}

/** Puts earlier events below the ones that are known already. */
export const withHistory = (log: TaskLog, events: readonly TaskEvent[]): TaskLog => ({
  ...log,
  turns: new Map([...addEvents(NO_EVENTS, events).turns, ...log.turns]),
})

function addEvent(turn: TurnLog, event: TaskEvent): TurnLog {
  switch (event.kind) {
    case 'message':
    case 'reasoning':
      return { ...turn, phase: null, items: addText(turn.items, event) }
    case 'tool':
      return {
        ...turn,
        phase: null,
        items: putTool(turn.items, event.callId, { ...callOf(event), state: 'running' }),
      }
    case 'needs_tool':
      return { ...turn, items: putTool(turn.items, event.callId, { ...callOf(event), state: 'client' }) }
    case 'needs_approval':
      return {
        ...turn,
        items: putTool(turn.items, event.callId, {
          ...callOf(event),
          state: 'approval',
          reason: event.reason,
        }),
      }
    case 'tool_result': {
      const { callId, tool, ok, output, isTruncated } = event
      return {
        ...turn,
        items: putTool(turn.items, callId, { tool, state: ok ? 'ok' : 'failed', output, isTruncated }),
      }
    }
    case 'change': {
      const { path, action, added, removed } = event
      const before = turn.changes.get(path)
      const change = {
        action,
        added: added + (before?.added ?? 0),
        removed: removed + (before?.removed ?? 0),
      }
      return { ...turn, changes: new Map(turn.changes).set(path, change) }
    }
    case 'cost':
      return { ...turn, spentMinor: event.spentMinor, modelCalls: turn.modelCalls + 1 }
    case 'status':
      return addStatus(turn, event)
  }
}

function addStatus(turn: TurnLog, event: Extract<TaskEvent, { kind: 'status' }>): TurnLog {
  const { note, seq, status, spentMinor } = event
  const items =
    note === 'compacted' || note === 'retrying'
      ? [...turn.items, { kind: 'note' as const, seq, note }]
      : turn.items
  return {
    ...turn,
    items,
    phase: status === 'finished' ? null : (note ?? (status === 'running' ? turn.phase : status)),
    spentMinor: spentMinor ?? turn.spentMinor,
  }
}

const callOf = ({ callId, tool, input }: { callId: string; tool: string; input?: unknown }) => ({
  callId,
  tool,
  input,
})

function putTool(items: readonly LogItem[], callId: string, by: Partial<ToolItem>): readonly LogItem[] {
  const at = items.findLastIndex((item) => item.kind === 'tool' && item.callId === callId)
  const before = items[at]
  const fresh: ToolItem = {
    kind: 'tool',
    callId,
    tool: '',
    input: null,
    state: 'running',
    output: '',
    isTruncated: false,
    reason: null,
  }
  const next = { ...(before?.kind === 'tool' ? before : fresh), ...by }
  return at < 0 ? [...items, next] : items.with(at, next)
}

function addText(
  items: readonly LogItem[],
  { kind, step, attempt, text }: Extract<TaskEvent, { kind: 'message' | 'reasoning' }>,
): readonly LogItem[] {
  const isReasoning = kind === 'reasoning'
  const at = items.findLastIndex(
    (item) => item.kind === 'text' && item.step === step && item.isReasoning === isReasoning,
  )
  const before = items[at]
  if (before?.kind !== 'text') return [...items, { kind: 'text', step, attempt, isReasoning, text }]
  // A newer attempt replaces the text; pieces of an older one come too late.
  if (attempt < before.attempt) return items
  const whole = attempt > before.attempt ? text : before.text + text
  return items.with(at, { ...before, attempt, text: whole })
}
