// Where things are on this computer: what the user has set, what commands remember, and the repository one stands in.
import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { UsageError } from './wrong.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A folder under version control. */
export type Repository = {
  /** The folder that paths are counted from. */
  readonly root: string
  /** Where git keeps its own; ours is in `cowrie` below it. */
  readonly gitFolder: string
}

export type Places = {
  readonly cwd: string
  /** Settings and keys; null where the environment names no home. */
  readonly config: string | null
  /** What is remembered outside of repositories; null where the environment names no home. */
  readonly state: string | null
  /** What is quickly made anew. */
  readonly cache: string | null
  readonly repository: Repository | null
}

const PROFILE = /^[a-z0-9][a-z0-9-]{0,31}$/

export function findPlaces(env: Environment, cwd: string, profile: string | undefined): Places {
  const chosen = profile || env.COWRIE_PROFILE || ''
  if (chosen !== '' && !PROFILE.test(chosen))
    throw new UsageError(`"${chosen}" is no name of a profile: small letters, digits and dashes, at most 32.`)
  const within = (home: string | null) =>
    home && (chosen === '' ? join(home, 'cowrie') : join(home, 'cowrie', 'profiles', chosen))
  return {
    cwd,
    config: within(folder(env.XDG_CONFIG_HOME, env.HOME, '.config') ?? env.APPDATA ?? null),
    state: within(folder(env.XDG_STATE_HOME, env.HOME, '.local/state') ?? env.LOCALAPPDATA ?? null),
    cache: within(folder(env.XDG_CACHE_HOME, env.HOME, '.cache') ?? env.LOCALAPPDATA ?? null),
    repository: findRepository(cwd),
  }
}

/** The standard ignores what is not absolute. */
function folder(named: string | undefined, home: string | undefined, otherwise: string): string | null {
  if (named && isAbsolute(named)) return named
  return home ? join(home, otherwise) : null
}

/** The nearest folder above that has `.git`: a folder, or a file that names one, as in a worktree or a submodule. */
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
