// The operations of the service that a session needs. Each is safe to repeat; the session decides how often.
import type { CallOptions, Client, TaskEvent } from '@cowrie/sdk'
import type { TurnBody } from './state.ts'
import type { ClientTool } from './types.ts'

export type Conventions = { readonly path: string; readonly text: string }

export type TaskTurnView = {
  readonly id: string
  readonly prompt: string
  readonly status: string
  readonly stopReason: string | null
  readonly summary: string | null
  readonly verified: boolean
  readonly withheld: readonly { readonly path: string; readonly reason: string }[]
  readonly spentMinor: bigint
  readonly maxMinor: bigint
  readonly afterSeq: number
  readonly createdAt: string
  readonly finishedAt: string | null
}

export type Need = {
  readonly turnId: string
  readonly callId: string
  readonly kind: 'tool' | 'approval'
  readonly tool: string
  readonly input: unknown
}

export type TaskView = {
  readonly id: string
  readonly title: string
  readonly workspace: { readonly kind: string }
  readonly budgetMinor: bigint | null
  readonly spentMinor: bigint
  readonly turns: readonly TaskTurnView[]
  readonly needs: readonly Need[]
  readonly lastSeq: number
}

export type SentResult = {
  readonly callId: string
  readonly ok: boolean
  readonly changes?: readonly { readonly path: string; readonly patch: string }[]
} & (
  | { readonly output: string }
  | { readonly base: string; readonly sha256: string; readonly delta: readonly (string | number[])[] }
)

export type TaskPatch = {
  readonly budgetMinor?: bigint | null
  readonly tools?: readonly ClientTool[]
  readonly conventions?: Conventions | null
}

export type TaskService = {
  create(body: NewClientTask, key: string, signal: AbortSignal): Promise<TaskView>
  /** With the newest turns only. */
  get(id: string, signal: AbortSignal): Promise<TaskView>
  patch(id: string, patch: TaskPatch, signal: AbortSignal): Promise<void>
  quote(
    id: string,
    body: { prompt: string; model?: string },
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<Client['tasks']['quote']>>>
  turn(id: string, body: TurnBody, key: string, signal: AbortSignal): Promise<{ turnId: string }>
  stream(id: string, after: number, signal: AbortSignal): AsyncGenerator<TaskEvent, void, undefined>
  stop(id: string, signal: AbortSignal): Promise<void>
  results(
    id: string,
    results: readonly SentResult[],
    signal: AbortSignal,
  ): Promise<{ accepted: readonly string[]; ignored: readonly string[] }>
  input(id: string, callId: string, signal: AbortSignal): Promise<unknown>
  approve(id: string, approvalId: string, allow: boolean, signal: AbortSignal): Promise<void>
}

export type NewClientTask = {
  readonly title?: string
  readonly model?: string
  readonly budgetMinor?: bigint
  readonly workspace: {
    readonly kind: 'client'
    readonly name: string
    readonly tools?: readonly ClientTool[]
    readonly conventions?: Conventions
  }
}

/** A small reply that takes longer comes over a dead connection. */
const TIMEOUT_MS = 30_000
const TURNS_READ = 3

export function createTaskService(client: Client): TaskService {
  const { tasks } = client
  // The session repeats calls itself, and says so.
  const once = (signal: AbortSignal): CallOptions => ({ signal, retries: 0, timeoutMs: TIMEOUT_MS })
  return {
    create: async (body, key, signal) =>
      (await tasks.create(body as never, { ...once(signal), idempotencyKey: key })) as TaskView,
    async get(id, signal) {
      const path = `/tasks/${encodeURIComponent(id)}` as const
      const reply = await client.request('GET', path, { ...once(signal), query: { turns: TURNS_READ } })
      return reply.json() as TaskView
    },
    patch: async (id, patch, signal) => void (await tasks.patch(id, patch as never, once(signal))),
    quote: (id, body, signal) => tasks.quote(id, body, once(signal)),
    turn: (id, body, key, signal) => tasks.turn(id, body as never, { ...once(signal), idempotencyKey: key }),
    stream: (id, after, signal) => tasks.stream(id, { after, outputs: 'none' } as never, once(signal)),
    stop: async (id, signal) => void (await tasks.stop(id, once(signal))),
    results: (id, results, signal) => tasks.toolResults(id, { results } as never, once(signal)),
    input: async (id, callId, signal) => (await tasks.toolOutput(id, callId, once(signal))).input,
    approve: async (id, approvalId, allow, signal) =>
      void (await tasks.approve(id, { approvalId, allow }, once(signal))),
  }
}
