// Why edits are not applied, with the files, and what to do instead.

import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import type { Unclean } from '../git/tree.ts'
import type { Problem } from './plan.ts'

const NAMED_MAX = 20

export const rejectedPathsError = (problems: readonly Problem[]): Failure =>
  new Failure('path_refused', `Nothing was written: ${listOf(problems)}.`, {
    exit: EXIT.conflict,
    next: 'Use --only to apply the rest.',
  })

export const sensitivePathsError = (problems: readonly Problem[]): Failure =>
  new Failure('path_sensitive', `Nothing was written: ${listOf(problems)}.`, {
    exit: EXIT.conflict,
    next: 'Review them with --dry-run --allow-sensitive. Then add --allow-sensitive, or exclude them with --only.',
  })

export const conflictError = (problems: readonly Problem[]): Failure =>
  new Failure('edits_conflict', `Nothing was written: ${listOf(problems)}.`, {
    exit: EXIT.conflict,
    next: 'Use --branch <name> and merge there, or run the task again with the current files.',
  })

export const unsavedChangesError = (files: ReadonlyMap<string, Unclean>): Failure =>
  new Failure(
    'unsaved_changes',
    `Nothing was written, because you have uncommitted changes: ${listOf(named(files))}.`,
    {
      exit: EXIT.conflict,
      next: 'Commit them, or use --stash (stash them), --branch <name> (edits go to a branch) or --allow-dirty (merge).',
    },
  )

export const treeNotCleanError = (files: ReadonlyMap<string, Unclean>): Failure =>
  new Failure(
    'tree_not_clean',
    `Nothing was written, because the working tree is not clean: ${listOf(named(files))}.`,
    {
      exit: EXIT.conflict,
      next: 'Commit or stash them, or omit --strict: then only the target files must be clean.',
    },
  )

const named = (files: ReadonlyMap<string, Unclean>): Problem[] =>
  [...files].map(([path, why]) => ({ path, why: UNCLEAN_TEXTS[why] }))

const UNCLEAN_TEXTS: Readonly<Record<Unclean, string>> = {
  changed: 'is modified',
  staged: 'is staged',
  untracked: 'is untracked',
  unmerged: 'has a merge in progress',
}

function listOf(problems: readonly Problem[]): string {
  const shown = problems.slice(0, NAMED_MAX).map(({ path, why }) => `${escapePath(path)} ${why}`)
  const more = problems.length - shown.length
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** A rejected path may contain invisible characters, so they are escaped. */
const escapePath = (path: string): string =>
  path === ''
    ? 'a path'
    : path
        .slice(0, 300)
        .replace(/[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
