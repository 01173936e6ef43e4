// The parts of a repository that decide what git executes. A command may not change them: git would run it outside of the sandbox.
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'

export type ProtectedPlaces = {
  /** Mounted on themselves, so that they cannot be renamed and replaced. */
  readonly pinned: readonly string[]
  readonly readOnly: readonly string[]
}

/** Settings of programs that run something by themselves when the folder is opened. */
const SETTINGS = [
  '.vscode',
  '.idea',
  '.husky',
  '.githooks',
  '.cowrie',
  '.cowrie.json',
  '.mcp.json',
  '.claude',
  '.cursor',
  '.envrc',
  '.gitmodules',
]
const GIT_FILES_READ = 64 * 1024

export function protectedPlaces(root: string): ProtectedPlaces {
  const git = gitPlaces(root)
  const hooks = git.pinned.flatMap((folder) => ownHooks(root, folder))
  const settings = SETTINGS.map((name) => join(root, name)).filter(isRealFileOrFolder)
  return { pinned: git.pinned, readOnly: [...new Set([...git.readOnly, ...hooks, ...settings])] }
}

function gitPlaces(root: string): ProtectedPlaces {
  const dotGit = join(root, '.git')
  const found = lstatSync(dotGit, { throwIfNoEntry: false })
  if (found?.isDirectory()) return { pinned: [dotGit], readOnly: protectedIn(dotGit) }
  if (!found?.isFile()) return { pinned: [], readOnly: [] }
  const folder = linkedFolder(root, dotGit)
  if (folder === null) return { pinned: [], readOnly: [dotGit] }
  const common = commonFolder(folder)
  const pinned = common === folder ? [folder] : [common, folder]
  return {
    pinned,
    readOnly: [dotGit, ...protectedIn(common), ...(common === folder ? [] : protectedFiles(folder))],
  }
}

/** Folders that are missing are created: otherwise a command could create them. */
function protectedIn(folder: string): string[] {
  for (const name of ['hooks', 'cowrie'])
    if (lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined)
      mkdirSync(join(folder, name), { mode: name === 'cowrie' ? 0o700 : 0o755 })
  const worktreeConfig = join(folder, 'config.worktree')
  if (
    /worktreeconfig\s*=\s*(true|yes|on|1)/i.test(textOf(join(folder, 'config'))) &&
    !existsSync(worktreeConfig)
  )
    writeFileSync(worktreeConfig, '')
  const common = join(folder, 'commondir')
  if (lstatSync(common, { throwIfNoEntry: false }) === undefined)
    writeFileSync(common, SAME_FOLDER, { flag: 'wx' })
  return protectedFiles(folder)
}

/** Git reads its settings from the folder that this file names: a command could name one of its making. */
const SAME_FOLDER = '.\n'

/** Removes what only had to be there while commands could run. */
export function releasePlaces(root: string): void {
  for (const folder of gitFolders(root)) {
    const common = join(folder, 'commondir')
    if (textOf(common) === SAME_FOLDER) rmSync(common, { force: true })
  }
}

function gitFolders(root: string): readonly string[] {
  const dotGit = join(root, '.git')
  const found = lstatSync(dotGit, { throwIfNoEntry: false })
  if (found?.isDirectory()) return [dotGit]
  const folder = found?.isFile() ? linkedFolder(root, dotGit) : null
  return folder === null ? [] : [commonFolder(folder)]
}

const protectedFiles = (folder: string): string[] =>
  ['config', 'config.worktree', 'hooks', 'cowrie', 'modules', 'commondir', 'gitdir', 'info/attributes']
    .map((name) => join(folder, name))
    .filter(isRealFileOrFolder)

/**
 * The folder that the file `.git` of a worktree or submodule names. Only if that folder names our root too: otherwise a downloaded
 * folder could make any other folder writable.
 */
function linkedFolder(root: string, dotGit: string): string | null {
  const [, named] = /^gitdir: (.+)$/m.exec(textOf(dotGit)) ?? []
  if (named === undefined) return null
  try {
    const folder = realpathSync(resolve(root, named.trim()))
    if (!folder.split(sep).includes('.git') || !lstatSync(join(folder, 'HEAD')).isFile()) return null
    const back = textOf(join(folder, 'gitdir')).trim()
    if (back !== '')
      return realpathSync(isAbsolute(back) ? back : resolve(folder, back)) === realpathSync(dotGit)
        ? folder
        : null
    const [, tree] = /^\s*worktree\s*=\s*(.+)$/m.exec(textOf(join(folder, 'config'))) ?? []
    return tree !== undefined && realpathSync(resolve(folder, tree.trim())) === realpathSync(root)
      ? folder
      : null
  } catch {
    // Without its git folder, git does not work in the sandbox.
    return null
  }
}

/** A worktree shares objects and settings with its repository. */
function commonFolder(folder: string): string {
  const named = textOf(join(folder, 'commondir')).trim()
  if (named === '') return folder
  try {
    const common = realpathSync(resolve(folder, named))
    return basename(dirname(folder)) === 'worktrees' && dirname(dirname(folder)) === common ? common : folder
  } catch {
    return folder
  }
}

/** A folder for hooks that the settings of git name, such as .husky. */
function ownHooks(root: string, gitFolder: string): string[] {
  const [, named] = /^\s*hookspath\s*=\s*"?(.+?)"?\s*$/im.exec(textOf(join(gitFolder, 'config'))) ?? []
  if (named === undefined) return []
  const folder = resolve(root, named)
  return folder.startsWith(root + sep) && isRealFileOrFolder(folder) ? [folder] : []
}

function textOf(path: string): string {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, 'utf8').slice(0, GIT_FILES_READ) : ''
  } catch {
    return ''
  }
}

/** A link would protect its target instead. */
function isRealFileOrFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && (found.isFile() || found.isDirectory())
}
