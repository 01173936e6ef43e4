// Why edits are not applied, in one sentence that names the files, and what to type instead.
import { EXIT } from '../exits.ts'
import type { Unclean } from '../git/tree.ts'
import { Failure } from '../wrong.ts'
import type { Problem } from './plan.ts'

const NAMED_MAX = 20

export const refusedPaths = (problems: readonly Problem[]): Failure =>
  new Failure('path_refused', `Nothing was written: ${listOf(problems)}.`, {
    exit: EXIT.conflict,
    next: 'Leave them out with --only if you want the rest.',
  })

export const sensitivePaths = (problems: readonly Problem[]): Failure =>
  new Failure('path_sensitive', `Nothing was written: ${listOf(problems)}.`, {
    exit: EXIT.conflict,
    next: 'Look with --dry-run --allow-sensitive; then say --allow-sensitive, or leave them out with --only.',
  })

export const conflicting = (problems: readonly Problem[]): Failure =>
  new Failure('edits_conflict', `Nothing was written: ${listOf(problems)}.`, {
    exit: EXIT.conflict,
    next: 'Put the edits on a branch with --branch <name> and merge there, or run it again on the files as they are now.',
  })

export const unsaved = (files: ReadonlyMap<string, Unclean>): Failure =>
  new Failure(
    'unsaved_changes',
    `Nothing was written, because changes of yours are in no commit: ${listOf(named(files))}.`,
    {
      exit: EXIT.conflict,
      next: 'Commit them, or say --stash (put aside), --branch <name> (edits go to a branch) or --allow-dirty (merge).',
    },
  )

export const untidy = (files: ReadonlyMap<string, Unclean>): Failure =>
  new Failure(
    'tree_not_clean',
    `Nothing was written, because the tree is not clean: ${listOf(named(files))}.`,
    {
      exit: EXIT.conflict,
      next: 'Commit or stash them, or leave out --strict: then only the files that change must be clean.',
    },
  )

const named = (files: ReadonlyMap<string, Unclean>): Problem[] =>
  [...files].map(([path, why]) => ({ path, why: WORDS[why] }))

const WORDS: Readonly<Record<Unclean, string>> = {
  changed: 'is changed',
  staged: 'is staged',
  untracked: 'is not in git',
  unmerged: 'is in the middle of a merge',
}

function listOf(problems: readonly Problem[]): string {
  const shown = problems.slice(0, NAMED_MAX).map(({ path, why }) => `${spell(path)} ${why}`)
  const more = problems.length - shown.length
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** A path that is refused may be one that hides something: what cannot be seen is spelt out. */
const spell = (path: string): string =>
  path === ''
    ? 'a path'
    : path
        .slice(0, 300)
        .replace(/[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
