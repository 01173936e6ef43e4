// A command can put a repository into a folder and add that folder to the index of git. The next `git status` of the user would run
// the programs that the settings in it name, outside of the sandbox. Such a folder is taken out of the index; its files stay.
import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Git, splitNul } from '../../git/git.ts'

const LINKS_MAX = 200
/** Settings that name no program. */
const HARMLESS =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|worktree|compression|sparsecheckout|sparsecheckoutcone)|extensions\..*|remote\..*\.(?:url|fetch|pushurl|tagopt|promisor|partialclonefilter|mirror)|branch\..*|user\.(?:name|email)|submodule\..*\.(?:url|active|branch|path|ignore|fetchrecursesubmodules)|submodule\.(?:active|recurse)|init\.defaultbranch|pull\..*|push\.(?:default|autosetupremote)|advice\..*|color\..*|lfs\.repositoryformatversion)$/i

/** The folders that were taken out of the index. Reads settings only, and executes nothing of them. */
export async function disarmNestedRepositories(git: Git, root: string): Promise<readonly string[]> {
  const listed = splitNul((await git.run(['ls-files', '--stage', '-z'])).text)
  const links = listed
    .flatMap((entry) => /^160000 [0-9a-f]+ \d\t(.+)$/s.exec(entry)?.[1] ?? [])
    .slice(0, LINKS_MAX)
  const armed: string[] = []
  for (const path of links) if (await isArmed(git, join(root, path))) armed.push(path)
  if (armed.length > 0) {
    const input = armed.map((path) => `${path}\0`).join('')
    await git.run(['update-index', '--force-remove', '-z', '--stdin'], { input })
  }
  return armed
}

async function isArmed(git: Git, folder: string): Promise<boolean> {
  // Git does not enter the folder.
  if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) === undefined) return false
  try {
    const { text } = await git.run(['config', '--list', '--show-scope', '--name-only', '-z'], {
      cwd: folder,
      // Without its repository, the settings of the one around it would be read.
      env: { GIT_CEILING_DIRECTORIES: dirname(folder) },
    })
    const fields = splitNul(text)
    return fields.some((scope, index) => {
      const isOwn = index % 2 === 0 && (scope === 'local' || scope === 'worktree')
      return isOwn && !HARMLESS.test(fields[index + 1] ?? '')
    })
  } catch {
    // Settings that cannot be read are not trusted.
    return true
  }
}
