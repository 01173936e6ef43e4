// The only way edits reach files: `cowrie apply`, and runs with --apply.
import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import type { Context } from '../command.ts'
import { diffOf, patchOf } from '../diff/unified.ts'
import { totalsOf, viewOf } from '../diff/view.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { checkAuthor, checkBranch, checkCommittable, commitFiles, commitToBranch } from '../git/commit.ts'
import { stash, unstash } from '../git/stash.ts'
import { headOf, uncleanAmong, uncleanAnywhere } from '../git/tree.ts'
import type { Result } from '../results/result.ts'
import { writeResult } from '../results/store.ts'
import { plain, render } from '../terminal/line.ts'
import { confirmChanges, diffOfChange, summaryOf } from './confirm.ts'
import { copyBefore } from './files/backups.ts'
import { findFile } from './files/find-file.ts'
import { saveRecord, textOf } from './files/undo-records.ts'
import { writeSteps } from './files/write.ts'
import type { ApplyOptions } from './options.ts'
import type { Change } from './plan.ts'
import {
  type EditSet,
  isChosen,
  noCommit,
  planFor,
  type ReadyForBranch,
  readyForBranch,
  readyHere,
} from './prepare.ts'
import { conflictError, treeNotCleanError, unsavedChangesError } from './rejections.ts'
import { type ApplyTarget, openTarget } from './target.ts'

export { APPLY_OPTIONS, type ApplyOptions, applyOptionsIn } from './options.ts'

export type AppliedFile = {
  readonly path: string
  readonly action: 'create' | 'update' | 'delete'
  /** Whether the file changed since it was sent and the edit was merged. */
  readonly isMerged: boolean
  readonly addedLines: number
  readonly removedLines: number
}

export type ApplyOutcome = {
  /** `unchanged`: the files already match the result. `saved`: the user chose a patch file. */
  readonly outcome: 'applied' | 'unchanged' | 'declined' | 'saved' | 'dryRun'
  readonly files: readonly AppliedFile[]
  /** The changes as a unified diff. */
  readonly patch: string
  /** The id for `cowrie undo`; null when nothing was written here. */
  readonly undoId: string | null
  readonly commit: string | null
  readonly branch: string | null
  /** The saved patch, or the folder with copies when git is not used. */
  readonly savedTo: string | null
}

const SUBJECT_CHARACTERS_MAX = 72

/**
 * Checks, shows, confirms and applies edits. Never calls a paid route. Throws a `Failure` with exit 9 when the edits
 * conflict; then nothing was written.
 */
export async function applyResult(
  context: Context,
  result: Result,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const { id, state, edits, sent, summary, warnings } = result
  if (state === 'sent')
    throw new Failure('result_pending', `The outcome of ${id} is not known yet.`, {
      exit: EXIT.pending,
      next: `Check it with "cowrie runs show ${id}". Free.`,
    })
  if (edits.length === 0) throw new Failure('no_edits', `The result ${id} has no edits.`)
  await checkFolder(context, result)
  if (warnings.some(isIncomplete))
    context.out.warn(`The result ${id} is partial. See "cowrie runs show ${id}" for the missing changes.`)
  const applied = await applyEdits(
    context,
    { id, message: messageOf(summary, id), sent, edits: async () => edits },
    options,
  )
  if (applied.outcome === 'applied')
    await writeResult(context.paths, { ...result, appliedAt: context.machine.now().toISOString() })
  return applied
}

const isIncomplete = (warning: string): boolean => /^(?:not_applied\b|answer_cut$)/.test(warning)

/** Outside of repositories all folders share one list of results, so the folder must match. */
async function checkFolder({ paths: { repository, cwd } }: Context, { id, root }: Result): Promise<void> {
  if (repository || root === cwd || root === (await realpath(cwd))) return
  throw new Failure('other_folder', `The result ${id} belongs to ${root}.`, {
    next: 'Change to that folder first.',
  })
}

/** A one-line subject, followed by the whole text if it is longer. */
function messageOf(summary: string, id: string): string {
  const clean = summary
    .split('\n')
    .map((line) => plain(line).trimEnd())
    .join('\n')
    .trim()
  if (clean === '') return `Apply ${id}\n`
  const [first = ''] = clean.split('\n')
  if (first.length <= SUBJECT_CHARACTERS_MAX) return `${clean.replace('\n', '\n\n')}\n`
  return `${first.slice(0, SUBJECT_CHARACTERS_MAX - 1).trimEnd()}…\n\n${clean}\n`
}

export async function applyEdits(
  context: Context,
  editSet: EditSet,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const target = await openTarget(context, options.withoutGit)
  const { unsaved: way } = options
  await checkRepository(target, options)
  const ready =
    way.way === 'branch'
      ? await readyForBranch(target, editSet, options)
      : await readyHere(target, editSet, options)
  const { changes } = ready
  if (changes.length === 0) {
    context.out.note(`Nothing to do: the files already match ${editSet.id}.`)
    return outcomeOf('unchanged', changes)
  }
  if (options.isDryRun) {
    showDry(context, changes)
    return outcomeOf('dryRun', changes)
  }
  const decision = options.yes ? { chosen: changes } : await confirmChanges(context, editSet.id, changes)
  if ('savedTo' in decision) return { ...outcomeOf('saved', changes), savedTo: decision.savedTo }
  if (decision.chosen.length === 0) return outcomeOf('declined', changes)
  context.signal?.throwIfAborted()
  if (options.yes) for (const line of summaryOf(decision.chosen)) context.out.note(line)
  return 'head' in ready
    ? writeToBranch(context, ready, editSet, decision.chosen)
    : writeHere(context, target, { ...ready, editSet, options }, decision.chosen)
}

/**
 * Fails before a paid run if its edits could not be applied afterwards. `paths` are the files shown to the model, which
 * it is likely to edit.
 */
export async function checkApplicable(
  context: Context,
  options: ApplyOptions,
  paths: readonly string[],
): Promise<void> {
  const target = await openTarget(context, options.withoutGit)
  await access(target.root, constants.W_OK).catch(() => {
    throw new Failure('not_writable', `Files in ${target.root} are not writable.`, {
      next: 'Change the permissions of the folder, or omit --apply.',
    })
  })
  await checkRepository(target, options)
  if (!target.isTracked || !target.git || options.unsaved.way !== 'stop') return
  const edited = paths.filter((path) => isChosen(path, options))
  const unclean = await uncleanAmong(target.git, target.root, edited)
  if (unclean.size > 0) throw unsavedChangesError(unclean)
}

/** Fails if the repository does not support the options. */
async function checkRepository(
  { git, isTracked: isKept, root }: ApplyTarget,
  options: ApplyOptions,
): Promise<void> {
  if (!isKept || !git) return
  const { way } = options.unsaved
  if (options.commits || way === 'branch') await checkAuthor(git)
  if (options.commits) await checkCommittable(git)
  if (options.unsaved.way === 'branch') {
    await checkBranch(git, options.unsaved.name)
    if (!(await headOf(git))) throw noCommit()
  }
  if (options.isStrict) {
    const unclean = await uncleanAnywhere(git, root)
    if (unclean.size > 0) throw treeNotCleanError(unclean)
  }
}

async function writeHere(
  context: Context,
  target: ApplyTarget,
  { editSet, options, unclean }: { editSet: EditSet; options: ApplyOptions; unclean: readonly string[] },
  chosen: readonly Change[],
): Promise<ApplyOutcome> {
  const { out, machine } = context
  const { root, home, git } = target
  const { id } = editSet
  const aside = chosen.map(({ path }) => path).filter((path) => unclean.includes(path))
  const stashed = git && aside.length > 0 ? await stash(git, `cowrie: before ${id}`, aside) : null
  let savedTo: string | null = null
  let steps = chosen
  try {
    if (stashed) steps = await asStashed(target, editSet, options, chosen)
    if (!target.isTracked) savedTo = await copyBefore(home, id, chosen)
    await writeSteps(home, machine, root, { id, steps })
  } catch (error) {
    if (git && stashed) await unstash(git, stashed)
    throw error
  }
  await saveRecord(home, { id, steps })
  const outcome = { ...outcomeOf('applied', steps), undoId: id, savedTo }
  out.note(`Applied ${id}: ${totalsOf(outcome.files)}. Undo it with "cowrie undo ${id}".`)
  if (stashed) out.note('Your own changes are stashed. Restore them with "git stash pop".')
  if (savedTo) out.note(`The previous files are in ${savedTo}.`)
  if (!options.commits || !git) return outcome
  const created = steps.filter(({ before }) => !before).map(({ path }) => path)
  const others = steps.filter(({ before }) => before).map(({ path }) => path)
  const commit = await commitFiles(git, editSet.message, { created, others })
  out.note(`Committed as ${commit.slice(0, 10)}.`)
  return { ...outcome, commit }
}

/** The changes after stashing. They must equal the confirmed ones. */
async function asStashed(
  target: ApplyTarget,
  editSet: EditSet,
  options: ApplyOptions,
  chosen: readonly Change[],
): Promise<readonly Change[]> {
  const { changes, conflicts } = await planFor(target, editSet, options, (path) =>
    findFile(target.root, path),
  )
  const steps = changes.filter(({ path }) => chosen.some((one) => one.path === path))
  if (conflicts.length > 0 || steps.length !== chosen.length)
    throw conflictError(
      chosen.map(({ path }) => ({ path, why: 'differs from its commit, even without your changes' })),
    )
  return steps
}

async function writeToBranch(
  { out }: Context,
  { git, head, branch }: ReadyForBranch,
  { message }: EditSet,
  chosen: readonly Change[],
): Promise<ApplyOutcome> {
  const files = chosen.map(({ path, after }) => ({
    path,
    text: after?.text ?? null,
    isExecutable: textOf(after)?.isExecutable ?? false,
  }))
  const commit = await commitToBranch(git, { branch, head, message, files })
  out.note(`Committed to the new branch ${branch} as ${commit.slice(0, 10)}. Your files did not change.`)
  out.note(`View it with "git diff HEAD ${branch}" and merge it with "git merge ${branch}".`)
  return { ...outcomeOf('applied', chosen), commit, branch }
}

/** The diff is the result, so it goes to standard output. */
function showDry({ out }: Context, changes: readonly Change[]): void {
  if (out.json) return
  const lines = [...changes.flatMap((change) => viewOf(diffOfChange(change)))]
  out.raw(lines.map((line) => `${render(line, out.mode.color)}\n`).join(''))
  for (const line of summaryOf(changes)) out.note(line)
  out.note('Nothing was written.')
}

function outcomeOf(outcome: ApplyOutcome['outcome'], changes: readonly Change[]): ApplyOutcome {
  const diffs = changes.map(({ path, before, after }) => diffOf(path, textOf(before), textOf(after)))
  return {
    outcome,
    files: diffs.map(({ path, action, addedLines, removedLines }, index) => ({
      path,
      action,
      isMerged: changes[index]?.isMerged ?? false,
      addedLines,
      removedLines,
    })),
    patch: patchOf(diffs),
    undoId: null,
    commit: null,
    branch: null,
    savedTo: null,
  }
}
