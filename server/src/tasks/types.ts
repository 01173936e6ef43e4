// The types that all parts of tasks share.
import type { Id } from '../kernel/ids.ts'

export type TaskId = Id<'tsk'>
export type TurnId = Id<'trn'>

/** A file that is not part of the workspace, or not as it is in the repository. */
export type SkippedFile = {
  readonly path: string
  readonly reason: 'submodule' | 'lfs' | 'link' | 'too_large' | 'unsafe_path' | 'other'
}

/** The new content of a file; null deletes it. */
export type FileChange = { readonly path: string; readonly content: string | null }

/** A secret that the model did not see. */
export type Withheld = { readonly path: string; readonly line?: number; readonly reason: string }

/** What a failed part costs and how it ends are rules of the engine. This is the reason that the caller reads. */
export type TurnStop =
  | 'completed'
  | 'stopped'
  | 'budget_reached'
  | 'step_limit'
  | 'no_progress'
  | 'declined'
  | 'workspace_unavailable'
  | 'upstream_failed'
  | 'policy'
  | 'failed'
