// The one way by which edits reach the files of this computer: `cowrie apply`, and a run that applies at once.
import type { Context } from '../command.ts'
import type { Result } from '../results/result.ts'
import { Failure } from '../wrong.ts'
import type { ApplyOptions } from './options.ts'

export { APPLY_OPTIONS, type ApplyOptions, applyOptionsIn } from './options.ts'

export type AppliedFile = {
  readonly path: string
  readonly action: 'create' | 'update' | 'delete'
  /** Whether it had changed since it was sent, and the edit was merged with that. */
  readonly isMerged: boolean
  readonly addedLines: number
  readonly removedLines: number
}

export type Applied = {
  /** `unchanged`: the files are already as the result wants them. `saved`: as a patch, at the person's wish. */
  readonly outcome: 'applied' | 'unchanged' | 'declined' | 'saved' | 'dryRun'
  readonly files: readonly AppliedFile[]
  /** The name for `cowrie undo`; null where nothing was written here. */
  readonly undoId: string | null
  readonly commit: string | null
  readonly branch: string | null
  /** The patch that was saved, or the folder with copies where there is no git. */
  readonly savedTo: string | null
}

/**
 * Checks, shows, asks and applies; says on the way what a person should know. Calls nothing that costs. Throws a `Failure`
 * with exit 9 where the edits do not fit, and then nothing was written.
 */
export async function applyResult(
  _context: Context,
  _result: Result,
  _options: ApplyOptions,
): Promise<Applied> {
  throw new Failure('not_applied', 'Edits are not applied yet.')
}
