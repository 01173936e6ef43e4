// Plans the edits for a target and checks whether they can be applied there.
import { Failure } from '../errors.ts'
import type { Git } from '../git/git.ts'
import { headOf, uncleanAmong } from '../git/tree.ts'
import type { Result } from '../results/result.ts'
import { matchesGlob } from '../system/glob.ts'
import { type FindFile, findFile, findInCommit } from './files/find-file.ts'
import type { ApplyOptions } from './options.ts'
import { type Change, type Edit, type Plan, planEdits } from './plan.ts'
import { conflictError, rejectedPathsError, sensitivePathsError, unsavedChangesError } from './rejections.ts'
import type { ApplyTarget } from './target.ts'

/** The edits of a result or a patch. */
export type EditSet = {
  readonly id: string
  readonly message: string
  readonly sent: Result['sent']
  /** A patch can only be read against the files it changes. */
  edits(find: FindFile): Promise<readonly Edit[]>
}

export const noCommit = (): Failure =>
  new Failure('no_commit', 'A branch needs a commit to start from, and there is none.', {
    next: 'Create one, or omit --branch.',
  })

export const isChosen = (path: string, { only }: ApplyOptions): boolean =>
  only.length === 0 || only.some((glob) => matchesGlob(path, glob))

type Ready = { readonly changes: readonly Change[]; readonly unclean: readonly string[] }
export type ReadyForBranch = {
  readonly changes: readonly Change[]
  readonly git: Git
  readonly head: string
  readonly branch: string
}

/** The changes to the files on disk, assuming that unsaved changes are stashed if requested. */
export async function readyHere(
  target: ApplyTarget,
  editSet: EditSet,
  options: ApplyOptions,
): Promise<Ready> {
  const { git, isTracked: isKept, root } = target
  const here: FindFile = (path) => findFile(root, path)
  const plan = await planFor(target, editSet, options, here)
  if (!isKept || !git) {
    if (plan.conflicts.length > 0) throw conflictError(plan.conflicts)
    return { changes: plan.changes, unclean: [] }
  }
  const unclean = await uncleanAmong(
    git,
    root,
    [...plan.changes, ...plan.conflicts].map(({ path }) => path),
  )
  const clear = plan.conflicts.filter(({ path }) => !unclean.has(path))
  if (clear.length > 0) throw conflictError(clear)
  if (unclean.size > 0 && options.unsaved.way === 'stop') throw unsavedChangesError(unclean)
  if (unclean.size === 0 || options.unsaved.way !== 'stash') {
    if (plan.conflicts.length > 0) throw conflictError(plan.conflicts)
    return { changes: plan.changes, unclean: [] }
  }
  const head = await headOf(git)
  if (!head) throw unsavedChangesError(unclean)
  const committed = findInCommit(git, head)
  const without = await planFor(target, editSet, options, (path) =>
    unclean.has(path) ? committed(path) : here(path),
  )
  if (without.conflicts.length > 0) throw conflictError(without.conflicts)
  return { changes: without.changes, unclean: [...unclean.keys()] }
}

export async function readyForBranch(
  target: ApplyTarget,
  editSet: EditSet,
  options: ApplyOptions,
): Promise<ReadyForBranch> {
  const head = target.git && (await headOf(target.git))
  if (!target.git || !head || options.unsaved.way !== 'branch') throw noCommit()
  const { changes, conflicts } = await planFor(target, editSet, options, findInCommit(target.git, head))
  if (conflicts.length > 0) throw conflictError(conflicts)
  return { changes, git: target.git, head, branch: options.unsaved.name }
}

export async function planFor(
  { git }: ApplyTarget,
  editSet: EditSet,
  options: ApplyOptions,
  find: FindFile,
): Promise<Plan> {
  const all = await editSet.edits(find)
  const edits = all.filter(({ path }) => isChosen(path, options))
  if (edits.length === 0)
    throw new Failure('no_edits', `No file of ${editSet.id} matches ${options.only.join(', ')}.`)
  const plan = await planEdits(edits, {
    find,
    git,
    sent: editSet.sent,
    allowSensitive: options.allowSensitive,
  })
  if (plan.refused.length > 0) throw rejectedPathsError(plan.refused)
  if (plan.sensitive.length > 0) throw sensitivePathsError(plan.sensitive)
  return plan
}
