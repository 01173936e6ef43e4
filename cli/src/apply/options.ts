// How a result is applied, as the line says it: the same options for "apply" and for a run that applies at once.
import { type Option, textOf, textsOf, type Values } from '../command.ts'
import { UsageError } from '../wrong.ts'

/** What happens where a file has changes that are in no commit. */
export type Unsaved =
  | { readonly way: 'stop' }
  /** They are put aside first. */
  | { readonly way: 'stash' }
  /** The edits are merged into them. */
  | { readonly way: 'mix' }
  /** The edits become a commit on a new branch, and no file here is touched. */
  | { readonly way: 'branch'; readonly name: string }

export type ApplyOptions = {
  /** Skips the question, none of the checks. */
  readonly yes: boolean
  readonly isDryRun: boolean
  /** Patterns of paths; all edits where there are none. */
  readonly only: readonly string[]
  readonly unsaved: Unsaved
  /** Whether the whole tree must be clean, and not only the files that change. */
  readonly isStrict: boolean
  readonly allowSensitive: boolean
  readonly commits: boolean
  /** Without git: a folder with copies in place of everything that git would keep. */
  readonly withoutGit: boolean
}

export const APPLY_OPTIONS: Readonly<Record<string, Option>> = {
  'dry-run': { type: 'boolean', summary: 'Check and show everything, write nothing.' },
  only: {
    type: 'string',
    multiple: true,
    placeholder: '<glob>',
    summary: 'Only files that match, such as "src/**"; may be given several times.',
  },
  stash: {
    type: 'boolean',
    summary: 'Put your own changes of these files aside first; "git stash pop" brings them back.',
  },
  branch: {
    type: 'string',
    placeholder: '<name>',
    summary:
      'Leave every file as it is: the edits become a commit on a new branch that begins at HEAD, to look at and to merge.',
  },
  'allow-dirty': { type: 'boolean', summary: 'Merge the edits into changes that are in no commit yet.' },
  strict: { type: 'boolean', summary: 'Refuse unless the whole tree is clean, not only these files.' },
  'allow-sensitive': {
    type: 'boolean',
    summary: 'Also write .env files, CI files, lockfiles and files that run by themselves.',
  },
  commit: { type: 'boolean', summary: 'Make one commit of exactly these files; hooks run as always.' },
  'no-git': { type: 'boolean', summary: 'Work without git: copies of the files are kept in a folder.' },
}

export function applyOptionsIn(values: Values): ApplyOptions {
  const branch = textOf(values, 'branch')
  const ways = ['stash', 'branch', 'allow-dirty'].filter((name) => values[name] !== undefined)
  if (ways.length > 1) throw new UsageError(`--${ways[0]} does not go with --${ways[1]}.`)
  const commits = values.commit === true
  // Nobody's unfinished work is committed for them.
  if (commits && values['allow-dirty']) throw new UsageError('--commit does not go with --allow-dirty.')
  const withoutGit = values['no-git'] === true
  const [needsGit] = [...ways, ...(commits ? ['commit'] : []), ...(values.strict ? ['strict'] : [])]
  if (withoutGit && needsGit) throw new UsageError(`--${needsGit} does not go with --no-git.`)
  return {
    yes: values.yes === true,
    isDryRun: values['dry-run'] === true,
    only: textsOf(values, 'only'),
    unsaved: branch === undefined ? unsavedIn(values) : { way: 'branch', name: branch },
    isStrict: values.strict === true,
    allowSensitive: values['allow-sensitive'] === true,
    commits,
    withoutGit,
  }
}

const unsavedIn = (values: Values): Unsaved =>
  values.stash ? { way: 'stash' } : values['allow-dirty'] ? { way: 'mix' } : { way: 'stop' }
