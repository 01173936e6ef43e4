// What a run has brought, as it is kept on this computer: enough to apply it later at no cost, and to ask for it again.
import type { FileEdit } from '@cowrie/sdk'

/** A file as it was when it was sent: what a later state of it is compared and merged with. */
export type SentFile = { readonly path: string; readonly content: string }

/** How it was asked for, beside the prompt and the files: sent again, it has to be the same. */
export type Order = {
  /** The indexed repository; left out outside of git repositories. */
  readonly repo?: string
  /** True: the frontier lane, false: never, null: as the service sees fit. */
  readonly frontier: boolean | null
  /** Secrets are sent on purpose. */
  readonly allowSecrets?: boolean
  /** The most that it may cost, as it was told. */
  readonly maxMinor: bigint
  readonly loop: {
    readonly sandbox: 'none' | 'local' | 'docker'
    readonly testCmd: string | null
    readonly maxIters: number
    readonly allowTestEdits: boolean
  } | null
}

export type Result = {
  /** A short name of its own on this computer, such as `7k2f`. */
  readonly id: string
  readonly kind: 'run' | 'loop'
  readonly baseUrl: string
  /** Who pays for it: to anybody else the same call would be a new one. */
  readonly payer: { readonly userId: string; readonly orgId: string }
  /** Under which the service remembers it: sent again, it is answered and not paid again. */
  readonly idempotencyKey: string
  /** What the service calls it, once that is known. */
  readonly runId: string | null
  /** The folder that the paths are counted from. */
  readonly root: string
  readonly prompt: string
  readonly order: Order
  readonly createdAt: string
  /** `sent`: nobody knows yet how it ended. `partial`: it was stopped, and these are the edits up to then. */
  readonly state: 'sent' | 'done' | 'partial' | 'failed'
  /** Why it was refused, or why a loop came to its end: a word of the service. */
  readonly reason: string | null
  readonly sent: readonly SentFile[]
  readonly edits: readonly FileEdit[]
  readonly summary: string
  readonly warnings: readonly string[]
  readonly verified: boolean | null
  readonly costMinor: bigint | null
  readonly currency: { readonly symbol: string; readonly minorUnit: number } | null
  /** When it was applied here, and not undone since. */
  readonly appliedAt: string | null
}
