// The events of a task. The service stores them, so any device can read them again.

/** An event as the API describes it. */
export type TaskFrame = {
  readonly seq: number
  readonly at: string
  /** Null for a fact between turns. */
  readonly turnId: string | null
  readonly kind: string
}

type Call = { readonly step: number; readonly callId: string; readonly tool: string }
type Text = { readonly step: number; readonly attempt: number; readonly text: string }

export type TaskEvent = TaskFrame &
  (
    | ({ readonly kind: 'message' } & Text)
    | ({ readonly kind: 'reasoning' } & Text)
    | ({ readonly kind: 'tool'; readonly input: unknown } & Call)
    | ({
        readonly kind: 'tool_result'
        readonly ok: boolean
        readonly output: string
        readonly isTruncated: boolean
      } & Call)
    | {
        readonly kind: 'change'
        readonly step: number | null
        readonly path: string
        readonly action: 'create' | 'update' | 'delete'
        readonly added: number
        readonly removed: number
      }
    | {
        readonly kind: 'cost'
        readonly step: number
        readonly costMinor: bigint
        readonly spentMinor: bigint
        readonly model: string
        readonly tokens: number
      }
    | ({ readonly kind: 'needs_tool'; readonly input: unknown } & Call)
    | ({
        readonly kind: 'needs_approval'
        readonly approvalId: string
        readonly input: unknown
        readonly reason: string
      } & Call)
    | {
        readonly kind: 'status'
        readonly status: 'queued' | 'running' | 'waiting' | 'finished'
        readonly note?: string
        readonly detail?: string
        readonly stopReason?: string
        readonly summary?: string | null
        readonly spentMinor?: bigint
      }
  )
