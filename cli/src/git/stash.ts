// Stashes changes of some files, and restores them when the edits fail.
import { Failure } from '../errors.ts'
import { type Git, literalPath } from './git.ts'

/** Stashes the uncommitted changes of these files. Returns the name of the stash. */
export async function stash(git: Git, message: string, paths: readonly string[]): Promise<string> {
  const earlier = await newest(git)
  await git.run([
    'stash',
    'push',
    '--quiet',
    '--include-untracked',
    '--message',
    message,
    '--',
    ...paths.map(literalPath),
  ])
  const made = await newest(git)
  if (made !== null && made !== earlier) return made
  throw new Failure('nothing_stashed', 'Git stashed nothing.', {
    next: 'Check "git status", or stash your changes yourself.',
  })
}

/** Restores the newest stash, if it is still this one. */
export async function unstash(git: Git, name: string): Promise<void> {
  const isLast = (await newest(git)) === name
  const brought =
    isLast &&
    (await git.run(['stash', 'pop', '--quiet', '--index']).then(
      () => true,
      () => false,
    ))
  if (!brought)
    throw new Failure('not_unstashed', 'Your changes are stashed and could not be restored automatically.', {
      next: `Restore them with "git stash apply --index ${name}".`,
    })
}

async function newest(git: Git): Promise<string | null> {
  const { code, text } = await git.run(['rev-parse', '--verify', '--quiet', 'refs/stash'], {
    answers: (answer) => answer === 1,
  })
  return code === 0 ? text.trim() : null
}
