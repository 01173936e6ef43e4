// Creates one commit with exactly the written files, on the current branch or on a new one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure, UsageError } from '../errors.ts'
import { type Git, literalPath } from './git.ts'
import { headOf } from './tree.ts'

/** A file of the commit; null content deletes it. */
export type CommittedFile = {
  readonly path: string
  readonly text: string | null
  readonly isExecutable: boolean
}

/** Throws when git has no author and could not commit or stash. */
export async function checkAuthor(git: Git): Promise<void> {
  for (const identity of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'])
    await git.run(['var', identity]).catch(() => {
      throw new Failure('no_author', 'Git has no author name and email, so it cannot commit.', {
        next: 'Set them with "git config user.name" and "git config user.email".',
      })
    })
}

/** Throws before any write if a commit would be refused. */
export async function checkCommittable(git: Git): Promise<void> {
  for (const ref of ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']) {
    const { code } = await git.run(['rev-parse', '--verify', '--quiet', ref], { answers: () => true })
    if (code === 0)
      throw new Failure('commit_under_way', 'A merge or another commit is in progress here.', {
        next: 'Finish it first, or omit --commit.',
      })
  }
}

/** Like a commit by the user: hooks run, and other staged changes stay. Returns the commit. */
export async function commitFiles(
  git: Git,
  message: string,
  { created, others }: { created: readonly string[]; others: readonly string[] },
): Promise<string> {
  // A commit of named files skips untracked ones; intent-to-add makes them known.
  if (created.length > 0)
    await git.run(['add', '--force', '--intent-to-add', '--', ...created.map(literalPath)])
  try {
    const paths = [...created, ...others].map(literalPath)
    await git.runAsPerson(
      ['commit', '--quiet', '--only', '--cleanup=whitespace', '--file=-', '--', ...paths],
      { input: message },
    )
  } catch (error) {
    if (created.length > 0)
      await git.run(['rm', '--cached', '--quiet', '--force', '--', ...created.map(literalPath)])
    throw new Failure(
      'not_committed',
      `The files were written, but not committed: ${error instanceof Error ? error.message : String(error)}`,
      { next: 'Commit them yourself, or undo them with "cowrie undo".' },
    )
  }
  return (await headOf(git)) ?? ''
}

/** A new branch with one commit on top of HEAD; files and index stay unchanged. Returns the commit. */
export async function commitToBranch(
  git: Git,
  {
    branch,
    head,
    message,
    files,
  }: { branch: string; head: string; message: string; files: readonly CommittedFile[] },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-branch-'))
  // A temporary index keeps the user's index unchanged.
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    await git.run(['read-tree', head], { env })
    const lines: string[] = []
    for (const { path, text, isExecutable } of files) {
      if (text === null) lines.push(`0 ${'0'.repeat(head.length)}\t${path}\0`)
      else {
        const made = await git.run(['hash-object', '-w', '--stdin', '--no-filters'], { input: text })
        lines.push(`${isExecutable ? '100755' : '100644'} ${made.text.trim()}\t${path}\0`)
      }
    }
    await git.run(['update-index', '-z', '--index-info'], { env, input: lines.join('') })
    const tree = (await git.run(['write-tree'], { env })).text.trim()
    const commit = (await git.run(['commit-tree', tree, '-p', head], { input: message })).text.trim()
    // Fails if the branch exists by now.
    await git.run(['update-ref', `refs/heads/${branch}`, commit, '0'.repeat(head.length)])
    return commit
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Throws unless the branch can be created. */
export async function checkBranch(git: Git, name: string): Promise<void> {
  const { code } = await git.run(['check-ref-format', '--branch', name], { answers: () => true })
  if (code !== 0 || name.startsWith('-') || name.startsWith('@{'))
    throw new UsageError(`"${name}" is not a valid branch name.`)
  const found = await git.run(['show-ref', '--verify', '--quiet', `refs/heads/${name}`], {
    answers: (answer) => answer === 1,
  })
  if (found.code === 0)
    throw new Failure('branch_exists', `The branch "${name}" already exists.`, {
      next: 'Choose another name for --branch.',
    })
}
