// The only way edits reach files: `cowrie apply`, and runs with --apply.
import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import type { Context } from '../command.ts'
import { diffOf, patchOf } from '../diff/unified.ts'
import { totalsOf, viewOf } from '../diff/view.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { checkAuthor, checkBranch, checkCommittable, commitFiles, commitToBranch } from '../git/commit.ts'
import type { Git } from '../git/git.ts'
import { stash, unstash } from '../git/stash.ts'
import { headOf, uncleanAmong, uncleanAnywhere } from '../git/tree.ts'
import type { Result } from '../results/result.ts'
import { writeResult } from '../results/store.ts'
import { matchesGlob } from '../system/glob.ts'
import { plain, render } from '../terminal/line.ts'
import { confirmChanges, diffOfChange, summaryOf } from './confirm.ts'
import { copyBefore } from './files/backups.ts'
import { type FindFile, findFile, findInCommit } from './files/find-file.ts'
import { saveRecord, textOf } from './files/undo-records.ts'
import { writeSteps } from './files/write.ts'
import type { ApplyOptions } from './options.ts'
import { type Change, type Edit, type Plan, planEdits } from './plan.ts'
import {
  conflictError,
  rejectedPathsError,
  sensitivePathsError,
  treeNotCleanError,
  unsavedChangesError,
} from './rejections.ts'
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

/** The edits of a result or a patch. */
export type EditSet = {
  readonly id: string
  readonly message: string
  readonly sent: Result['sent']
  /** A patch can only be read against the files it changes. */
  edits(find: FindFile): Promise<readonly Edit[]>
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
  work: EditSet,
  options: ApplyOptions,
): Promise<ApplyOutcome> {
  const ground = await openTarget(context, options.withoutGit)
  const { unsaved: way } = options
  await checkRepository(ground, options)
  const ready =
    way.way === 'branch'
      ? await readyForBranch(ground, work, options)
      : await readyHere(ground, work, options)
  const { changes } = ready
  if (changes.length === 0) {
    context.out.note(`Nothing to do: the files already match ${work.id}.`)
    return outcomeOf('unchanged', changes)
  }
  if (options.isDryRun) {
    showDry(context, changes)
    return outcomeOf('dryRun', changes)
  }
  const decision = options.yes ? { chosen: changes } : await confirmChanges(context, work.id, changes)
  if ('savedTo' in decision) return { ...outcomeOf('saved', changes), savedTo: decision.savedTo }
  if (decision.chosen.length === 0) return outcomeOf('declined', changes)
  context.signal?.throwIfAborted()
  if (options.yes) for (const line of summaryOf(decision.chosen)) context.out.note(line)
  return 'head' in ready
    ? writeToBranch(context, ready, work, decision.chosen)
    : writeHere(context, ground, { ...ready, work, options }, decision.chosen)
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
  const ground = await openTarget(context, options.withoutGit)
  await access(ground.root, constants.W_OK).catch(() => {
    throw new Failure('not_writable', `Files in ${ground.root} are not writable.`, {
      next: 'Change the permissions of the folder, or omit --apply.',
    })
  })
  await checkRepository(ground, options)
  if (!ground.isKept || !ground.git || options.unsaved.way !== 'stop') return
  const edited = paths.filter((path) => isChosen(path, options))
  const unclean = await uncleanAmong(ground.git, ground.root, edited)
  if (unclean.size > 0) throw unsavedChangesError(unclean)
}

/** Fails if the repository does not support the options. */
async function checkRepository({ git, isKept, root }: ApplyTarget, options: ApplyOptions): Promise<void> {
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

const noCommit = (): Failure =>
  new Failure('no_commit', 'A branch needs a commit to start from, and there is none.', {
    next: 'Create one, or omit --branch.',
  })

const isChosen = (path: string, { only }: ApplyOptions): boolean =>
  only.length === 0 || only.some((glob) => matchesGlob(path, glob))

type Ready = { readonly changes: readonly Change[]; readonly unclean: readonly string[] }
type ReadyForBranch = {
  readonly changes: readonly Change[]
  readonly git: Git
  readonly head: string
  readonly branch: string
}

/** The changes to the files on disk, assuming that unsaved changes are stashed if requested. */
async function readyHere(ground: ApplyTarget, work: EditSet, options: ApplyOptions): Promise<Ready> {
  const { git, isKept, root } = ground
  const here: FindFile = (path) => findFile(root, path)
  const plan = await planFor(ground, work, options, here)
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
  const without = await planFor(ground, work, options, (path) =>
    unclean.has(path) ? committed(path) : here(path),
  )
  if (without.conflicts.length > 0) throw conflictError(without.conflicts)
  return { changes: without.changes, unclean: [...unclean.keys()] }
}

async function readyForBranch(
  ground: ApplyTarget,
  work: EditSet,
  options: ApplyOptions,
): Promise<ReadyForBranch> {
  const head = ground.git && (await headOf(ground.git))
  if (!ground.git || !head || options.unsaved.way !== 'branch') throw noCommit()
  const { changes, conflicts } = await planFor(ground, work, options, findInCommit(ground.git, head))
  if (conflicts.length > 0) throw conflictError(conflicts)
  return { changes, git: ground.git, head, branch: options.unsaved.name }
}

async function planFor(
  { git }: ApplyTarget,
  work: EditSet,
  options: ApplyOptions,
  find: FindFile,
): Promise<Plan> {
  const all = await work.edits(find)
  const edits = all.filter(({ path }) => isChosen(path, options))
  if (edits.length === 0)
    throw new Failure('no_edits', `No file of ${work.id} matches ${options.only.join(', ')}.`)
  const plan = await planEdits(edits, {
    find,
    git,
    sent: work.sent,
    allowSensitive: options.allowSensitive,
  })
  if (plan.refused.length > 0) throw rejectedPathsError(plan.refused)
  if (plan.sensitive.length > 0) throw sensitivePathsError(plan.sensitive)
  return plan
}

async function writeHere(
  context: Context,
  ground: ApplyTarget,
  { work, options, unclean }: { work: EditSet; options: ApplyOptions; unclean: readonly string[] },
  chosen: readonly Change[],
): Promise<ApplyOutcome> {
  const { out, machine } = context
  const { root, home, git } = ground
  const { id } = work
  const aside = chosen.map(({ path }) => path).filter((path) => unclean.includes(path))
  const stashed = git && aside.length > 0 ? await stash(git, `cowrie: before ${id}`, aside) : null
  let savedTo: string | null = null
  let steps = chosen
  try {
    if (stashed) steps = await asStashed(ground, work, options, chosen)
    if (!ground.isKept) savedTo = await copyBefore(home, id, chosen)
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
  const commit = await commitFiles(git, work.message, { created, others })
  out.note(`Committed as ${commit.slice(0, 10)}.`)
  return { ...outcome, commit }
}

/** The changes after stashing. They must equal the confirmed ones. */
async function asStashed(
  ground: ApplyTarget,
  work: EditSet,
  options: ApplyOptions,
  chosen: readonly Change[],
): Promise<readonly Change[]> {
  const { changes, conflicts } = await planFor(ground, work, options, (path) => findFile(ground.root, path))
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
