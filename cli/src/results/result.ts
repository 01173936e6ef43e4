// A stored result: enough to apply it later for free and to look it up again.
import type { FileEdit } from '@cowrie/sdk'

/** A file as it was sent; later versions are merged with it. */
export type SentFile = { readonly path: string; readonly content: string }

/** The request besides prompt and files; a retry must send the same. */
export type RequestOptions = {
  /** The indexed repository; absent outside of git. */
  readonly repo?: string
  /** True: frontier lane; false: never; null: the service decides. */
  readonly frontier: boolean | null
  /** The user sends secrets on purpose. */
  readonly allowSecrets?: boolean
  /** The maximum cost shown. */
  readonly maxMinor: bigint
  readonly loop: {
    readonly sandbox: 'none' | 'local' | 'docker'
    readonly testCmd: string | null
    readonly maxIters: number
    readonly allowTestEdits: boolean
  } | null
}

export type Result = {
  /** A short local id, such as `7k2f`. */
  readonly id: string
  readonly kind: 'run' | 'loop'
  readonly baseUrl: string
  /** The payer: for another payer the same call would be a new one. */
  readonly payer: { readonly userId: string; readonly orgId: string }
  /** The idempotency key: a retry returns the outcome and is not charged again. */
  readonly idempotencyKey: string
  /** The run's id at the service, once known. */
  readonly runId: string | null
  /** Paths are relative to this folder. */
  readonly root: string
  readonly prompt: string
  readonly order: RequestOptions
  readonly createdAt: string
  /** `sent`: the outcome is unknown. `partial`: stopped, with the edits up to then. */
  readonly state: 'sent' | 'done' | 'partial' | 'failed'
  /** Why it was rejected or why a loop ended: a code of the service. */
  readonly reason: string | null
  readonly sent: readonly SentFile[]
  readonly edits: readonly FileEdit[]
  readonly summary: string
  readonly warnings: readonly string[]
  readonly verified: boolean | null
  readonly costMinor: bigint | null
  readonly currency: { readonly symbol: string; readonly minorUnit: number } | null
  /** When it was applied here; null after undo. */
  readonly appliedAt: string | null
}
