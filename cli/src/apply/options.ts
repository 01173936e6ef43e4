// The options for applying a result, shared by "apply" and runs with --apply.
import { type Option, textOf, textsOf, type Values } from '../command.ts'
import { UsageError } from '../errors.ts'

/** How to handle uncommitted changes of a file. */
export type UnsavedPolicy =
  | { readonly way: 'stop' }
  /** Stash them first. */
  | { readonly way: 'stash' }
  /** Merge the edits into them. */
  | { readonly way: 'mix' }
  /** Commit the edits on a new branch and change no file here. */
  | { readonly way: 'branch'; readonly name: string }

export type ApplyOptions = {
  /** Skips the question, not the checks. */
  readonly yes: boolean
  readonly isDryRun: boolean
  /** Path patterns; empty means all edits. */
  readonly only: readonly string[]
  readonly unsaved: UnsavedPolicy
  /** Whether the whole tree must be clean, not only the changed files. */
  readonly isStrict: boolean
  readonly allowSensitive: boolean
  readonly commits: boolean
  /** Without git: keep copies of the files in a folder. */
  readonly withoutGit: boolean
}

export const APPLY_OPTIONS: Readonly<Record<string, Option>> = {
  'dry-run': { type: 'boolean', summary: 'Check and show everything; write nothing.' },
  only: {
    type: 'string',
    multiple: true,
    placeholder: '<glob>',
    summary: 'Only matching files, such as "src/**". Repeatable.',
  },
  stash: {
    type: 'boolean',
    summary: 'Stash your own changes to these files first. "git stash pop" restores them.',
  },
  branch: {
    type: 'string',
    placeholder: '<name>',
    summary: 'Change no file: commit the edits on a new branch from HEAD, to review and merge.',
  },
  'allow-dirty': { type: 'boolean', summary: 'Merge the edits into your uncommitted changes.' },
  strict: { type: 'boolean', summary: 'Require a clean working tree, not only clean target files.' },
  'allow-sensitive': {
    type: 'boolean',
    summary: 'Also write .env files, CI files, lockfiles and files that run automatically.',
  },
  commit: { type: 'boolean', summary: 'Create one commit with exactly these files. Hooks run as usual.' },
  'no-git': { type: 'boolean', summary: 'Work without git and keep copies of the files in a folder.' },
}

export function applyOptionsIn(values: Values): ApplyOptions {
  const branch = textOf(values, 'branch')
  const policies = ['stash', 'branch', 'allow-dirty'].filter((name) => values[name] !== undefined)
  if (policies.length > 1) throw new UsageError(`--${policies[0]} cannot be combined with --${policies[1]}.`)
  const commits = values.commit === true
  // Never commit the user's unfinished work.
  if (commits && values['allow-dirty'])
    throw new UsageError('--commit cannot be combined with --allow-dirty.')
  const withoutGit = values['no-git'] === true
  const [needsGit] = [...policies, ...(commits ? ['commit'] : []), ...(values.strict ? ['strict'] : [])]
  if (withoutGit && needsGit) throw new UsageError(`--${needsGit} cannot be combined with --no-git.`)
  return {
    yes: values.yes === true,
    isDryRun: values['dry-run'] === true,
    only: textsOf(values, 'only'),
    unsaved: branch === undefined ? unsavedPolicyIn(values) : { way: 'branch', name: branch },
    isStrict: values.strict === true,
    allowSensitive: values['allow-sensitive'] === true,
    commits,
    withoutGit,
  }
}

const unsavedPolicyIn = (values: Values): UnsavedPolicy =>
  values.stash ? { way: 'stash' } : values['allow-dirty'] ? { way: 'mix' } : { way: 'stop' }
