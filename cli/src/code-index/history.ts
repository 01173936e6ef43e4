// The commit history that the index stores: subjects and changed files, for searches for a change.
import type { IndexAddBody, IndexState } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { type Git, openGit } from '../git/git.ts'

export type CommitHistory = NonNullable<IndexAddBody['history']>

type Needs = Pick<Context, 'paths' | 'env' | 'signal'>

/** The limits of the service. */
const COMMITS_MAX = 5_000
const SUBJECT_CHARACTERS_MAX = 200
/** A commit with more files tells little about each. */
const PATHS_MAX = 50
const COMMIT_NAME = /^[0-9a-f]{40,64}$/

/**
 * The commits that are not stored yet, with the files that may be sent. Null if there are none, or if the service stores no
 * histories.
 */
export async function historyAfter(
  { paths: { repository }, env, signal }: Needs,
  stored: IndexState['history'] | undefined,
  sendable: ReadonlySet<string>,
): Promise<CommitHistory | null> {
  if (!repository || stored === undefined) return null
  const git = openGit(repository.root, env)
  const latest = await printed(git, ['rev-parse', '--verify', 'HEAD'], signal)
  if (latest === null || latest === stored?.latest) return null
  const after = stored && (await isAncestor(git, stored.latest)) ? stored.latest : undefined
  const log = await printed(git, [...LOG, after === undefined ? latest : `${after}..${latest}`, '--'], signal)
  if (log === null) return null
  return { latest, ...(after !== undefined && { after }), commits: commitsIn(log, sendable) }
}

/** A commit starts with \x01. Paths with unusual characters are quoted and match no file. */
const LOG = [
  ...['log', '--no-merges', '--no-renames', '--no-ext-diff', '--no-textconv', '--name-only'],
  ...[`--max-count=${COMMITS_MAX}`, '--format=%x01%s'],
]

function commitsIn(log: string, sendable: ReadonlySet<string>): CommitHistory['commits'] {
  return log
    .split('\x01')
    .slice(1)
    .flatMap((entry) => {
      const [subject = '', ...changed] = entry.split('\n').filter((line) => line !== '')
      const text = subject
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, SUBJECT_CHARACTERS_MAX)
        .toWellFormed()
      const paths = changed.filter((path) => sendable.has(path))
      return text === '' || paths.length === 0 || paths.length > PATHS_MAX ? [] : [{ subject: text, paths }]
    })
}

const isAncestor = async (git: Git, commit: string): Promise<boolean> =>
  COMMIT_NAME.test(commit) &&
  (await git.run(['merge-base', '--is-ancestor', commit, 'HEAD'], { answers: () => true })).code === 0

/** Null if git fails, such as in a repository without commits. */
async function printed(git: Git, args: readonly string[], signal: AbortSignal | undefined) {
  const { code, text } = await git.run(args, { answers: () => true, signal })
  return code === 0 ? text.trim() : null
}
