// Changes of some files put aside, and brought back when what they made room for did not come.
import { Failure } from '../wrong.ts'
import { exactly, type Git } from './git.ts'

/** Puts aside what these files have that is in no commit. Gives the name of it. */
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
    ...paths.map(exactly),
  ])
  const made = await newest(git)
  if (made !== null && made !== earlier) return made
  throw new Failure('nothing_stashed', 'Git has put nothing aside.', {
    next: 'Look with "git status", or put your changes aside yourself.',
  })
}

/** Brings back what was put aside last, if it is still this one. */
export async function unstash(git: Git, name: string): Promise<void> {
  const isLast = (await newest(git)) === name
  const brought =
    isLast &&
    (await git.run(['stash', 'pop', '--quiet', '--index']).then(
      () => true,
      () => false,
    ))
  if (!brought)
    throw new Failure(
      'not_unstashed',
      'Your changes are put aside, and could not be brought back by themselves.',
      {
        next: `Bring them back with "git stash apply --index ${name}".`,
      },
    )
}

async function newest(git: Git): Promise<string | null> {
  const { code, text } = await git.run(['rev-parse', '--verify', '--quiet', 'refs/stash'], {
    answers: (answer) => answer === 1,
  })
  return code === 0 ? text.trim() : null
}
