// The operations of the service that a session needs. Each is safe to repeat; the session decides how often.
import type {
  CallOptions,
  Client,
  NewTask,
  NewTaskTurn,
  Task,
  TaskEvent,
  TaskPatch,
  TaskToolResults,
  TaskTurn,
  TaskTurnQuote,
} from '@cowrie/sdk'

export type { NewTask, NewTaskTurn, Task, TaskPatch, TaskTurn }
export type Need = Task['needs'][number]
export type SentResult = TaskToolResults['results'][number]

export type TaskService = {
  create(body: NewTask, key: string, signal: AbortSignal): Promise<Task>
  /** With the newest turns only. */
  get(id: string, signal: AbortSignal): Promise<Task>
  patch(id: string, patch: TaskPatch, signal: AbortSignal): Promise<void>
  quote(id: string, body: { prompt: string; model?: string }, signal: AbortSignal): Promise<TaskTurnQuote>
  turn(id: string, body: NewTaskTurn, key: string, signal: AbortSignal): Promise<{ turnId: string }>
  /** Without the outputs of tools, which this computer has. */
  stream(id: string, after: number, signal: AbortSignal): AsyncGenerator<TaskEvent, void, undefined>
  stop(id: string, signal: AbortSignal): Promise<void>
  remove(id: string, signal: AbortSignal): Promise<void>
  results(
    id: string,
    results: SentResult[],
    signal: AbortSignal,
  ): Promise<{ accepted: readonly string[]; ignored: readonly string[] }>
  input(id: string, callId: string, signal: AbortSignal): Promise<unknown>
  approve(id: string, approvalId: string, allow: boolean, signal: AbortSignal): Promise<void>
}

/** A small reply that takes longer comes over a dead connection. */
const TIMEOUT_MS = 30_000
const TURNS_READ = 3

export function createTaskService({ tasks }: Pick<Client, 'tasks'>): TaskService {
  // The session repeats calls itself, with a note.
  const once = (signal: AbortSignal): CallOptions => ({ signal, retries: 0, timeoutMs: TIMEOUT_MS })
  return {
    create: (body, key, signal) => tasks.create(body, { ...once(signal), idempotencyKey: key }),
    get: (id, signal) => tasks.get(id, { turns: TURNS_READ }, once(signal)),
    patch: async (id, patch, signal) => void (await tasks.patch(id, patch, once(signal))),
    quote: (id, body, signal) => tasks.quote(id, body, once(signal)),
    turn: (id, body, key, signal) => tasks.turn(id, body, { ...once(signal), idempotencyKey: key }),
    stream: (id, after, signal) => tasks.stream(id, { after, outputs: 'none' }, once(signal)),
    stop: async (id, signal) => void (await tasks.stop(id, once(signal))),
    remove: async (id, signal) => void (await tasks.delete(id, once(signal))),
    results: (id, results, signal) => tasks.toolResults(id, { results }, once(signal)),
    input: async (id, callId, signal) => (await tasks.toolOutput(id, callId, once(signal))).input,
    approve: async (id, approvalId, allow, signal) =>
      void (await tasks.approve(id, { approvalId, allow }, once(signal))),
  }
}
