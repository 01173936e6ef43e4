// Paths on this computer: configuration, state, cache and the current repository.
import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { UsageError } from '../errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

export type Repository = {
  /** Paths are relative to this folder. */
  readonly root: string
  /** The .git folder; our files are in its `cowrie` subfolder. */
  readonly gitFolder: string
}

export type Paths = {
  readonly cwd: string
  /** Settings and keys; null without a home folder. */
  readonly config: string | null
  /** State outside of repositories; null without a home folder. */
  readonly state: string | null
  /** Data that can be recreated. */
  readonly cache: string | null
  readonly repository: Repository | null
}

const PROFILE = /^[a-z0-9][a-z0-9-]{0,31}$/

export function findPaths(env: Environment, cwd: string, profile: string | undefined): Paths {
  const chosen = profile || env.COWRIE_PROFILE || ''
  if (chosen !== '' && !PROFILE.test(chosen))
    throw new UsageError(
      `"${chosen}" is not a valid profile name. Use lower-case letters, digits and dashes, at most 32.`,
    )
  const within = (home: string | null) =>
    home && (chosen === '' ? join(home, 'cowrie') : join(home, 'cowrie', 'profiles', chosen))
  return {
    cwd,
    config: within(xdgFolder(env.XDG_CONFIG_HOME, env.HOME, '.config') ?? env.APPDATA ?? null),
    state: within(xdgFolder(env.XDG_STATE_HOME, env.HOME, '.local/state') ?? env.LOCALAPPDATA ?? null),
    cache: within(xdgFolder(env.XDG_CACHE_HOME, env.HOME, '.cache') ?? env.LOCALAPPDATA ?? null),
    repository: findRepository(cwd),
  }
}

/** The XDG standard ignores relative paths. */
function xdgFolder(named: string | undefined, home: string | undefined, fallback: string): string | null {
  if (named && isAbsolute(named)) return named
  return home ? join(home, fallback) : null
}

/** The nearest parent folder with `.git`: a folder, or a file that points to one (worktree, submodule). */
function findRepository(from: string): Repository | null {
  for (let root = resolve(from); ; root = dirname(root)) {
    const git = join(root, '.git')
    const found = statSync(git, { throwIfNoEntry: false })
    if (found?.isDirectory()) return { root, gitFolder: git }
    if (found?.isFile()) {
      const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(git, 'utf8').slice(0, 4096)) ?? []
      if (named) return { root, gitFolder: resolve(root, named.trim()) }
    }
    if (dirname(root) === root) return null
  }
}
