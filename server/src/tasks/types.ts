// The types that all parts of tasks share.
import type { SkippedFile } from '@cowrie/workspace/tools/tool-types.ts'
import type { Id } from '../kernel/ids.ts'

export type { Withheld } from '@cowrie/workspace/secrets/secret-span.ts'
export type { FileChange, SkippedFile } from '@cowrie/workspace/tools/tool-types.ts'

export type TaskId = Id<'tsk'>
export type TurnId = Id<'trn'>

/** Where the files of a task are. */
export type TaskWorkspace =
  | { readonly kind: 'files' }
  | RepositoryWorkspace
  /** On the caller's machine, which runs the tools. */
  | { readonly kind: 'client'; readonly name: string }

/** A tool that the caller runs, beside those of the service. */
export type ClientTool = {
  readonly name: string
  readonly description: string
  /** A JSON Schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly isReadOnly: boolean
}

/** The tools and conventions that a client workspace brings. */
export type TaskClient = {
  readonly tools: readonly ClientTool[]
  /** A file such as AGENTS.md. */
  readonly conventions: { readonly path: string; readonly text: string } | null
}

/** `plan`: the turn reads, and changes nothing. */
export const TURN_MODES = ['work', 'plan'] as const
export type TurnMode = (typeof TURN_MODES)[number]

export type RepositoryWorkspace = {
  readonly kind: 'repository'
  readonly installationId: string
  /** `owner/name`. */
  readonly repository: string
  readonly repositoryId: number
  readonly ref: string
  /** The commit of the ref when the task was created. */
  readonly commit: string
  readonly defaultBranch: string
  /** Known once the files were read. */
  readonly skipped?: readonly SkippedFile[]
}

export type Attachment =
  | { readonly name: string; readonly content: string }
  | { readonly name: string; readonly mediaType: string; readonly data: string }

/** Why a turn ended. */
export const TURN_STOPS = [
  'completed',
  'stopped',
  'budget_reached',
  /** The model asked for too many steps. */
  'step_limit',
  /** The model repeated itself. */
  'no_progress',
  /** The provider withheld the answer. */
  'declined',
  /** The conversation does not fit the model, even in a shorter form. */
  'too_long',
  /** The caller did not answer in time. */
  'abandoned',
  'workspace_unavailable',
  'upstream_failed',
  /** The organisation was suspended or restricted. */
  'policy',
  /** Through our fault. The cost is refunded. */
  'failed',
] as const
export type TurnStop = (typeof TURN_STOPS)[number]
