// The name of a repository in the index: the same for every clone.
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { type Context, type Option, textOf } from '../command.ts'
import { Failure } from '../errors.ts'
import { type Git, openGit, splitNul } from '../git/git.ts'

type Needs = Pick<Context, 'paths' | 'env' | 'values'>

/** The repository of requests without a name. */
export const DEFAULT_REPO = 'default'
const NAME_CHARACTERS_MAX = 200
const HASH_CHARACTERS = 8

export const REPO_OPTION = {
  repo: {
    type: 'string',
    placeholder: '<name>',
    summary: 'The repository in the index. Default: the name of the git remote.',
  },
} as const satisfies Record<string, Option>

/** The repository of the current folder; undefined outside of git. */
export async function repoOf({ paths: { repository }, env, values }: Needs): Promise<string | undefined> {
  const named = textOf(values, 'repo')
  if (named !== undefined || !repository) return named
  const git = gitAt(repository.root, env)
  if (!git) return undefined
  return (await remoteName(git)) ?? folderName(repository.root, await rootCommit(git))
}

/** Null when git is not installed; commands then work without a name. */
function gitAt(root: string, env: Needs['env']): Git | null {
  try {
    return openGit(root, env)
  } catch (error) {
    if (error instanceof Failure && error.code === 'git_missing') return null
    throw error
  }
}

async function remoteName(git: Git): Promise<string | undefined> {
  const { text } = await git.run(['config', '--null', '--get-regexp', '^remote\\..*\\.url$'], {
    answers: (code) => code === 1,
  })
  const remotes = splitNul(text).map((field) => field.split('\n', 2) as [string, string?])
  const [, url] = remotes.find(([key]) => key === 'remote.origin.url') ?? remotes[0] ?? []
  return url === undefined ? undefined : nameOfRemote(url)
}

/** `owner/name` at GitHub, `host/owner/name` elsewhere; undefined for a local path. Never contains credentials. */
export function nameOfRemote(url: string): string | undefined {
  const parsed = /^[a-z+]+:\/\//i.test(url) ? URL.parse(url) : null
  const [, scpHost, scpPath] = /^(?:[^@/\s]+@)?([^:/\\\s]{2,}):(?!\/\/)(.+)$/.exec(url) ?? []
  const host = (parsed ? parsed.hostname : scpHost)?.toLowerCase()
  const path = (parsed ? parsed.pathname : scpPath)?.replace(/^\/+|\/+$|(?:\.git)?\/*$/g, '')
  if (!host || !path || /[\p{Cc}\s]/u.test(path)) return undefined
  return bounded(/^(?:www\.|ssh\.)?github\.com$/.test(host) ? path : `${host}/${path}`)
}

/** The first commit; null in an empty repository. */
async function rootCommit(git: Git): Promise<string | null> {
  const { code, text } = await git.run(['rev-list', '--max-parents=0', 'HEAD'], { answers: () => true })
  return code === 0 ? (text.trim().split('\n').sort()[0] ?? null) : null
}

const folderName = (root: string, commit: string | null): string =>
  bounded(`${basename(root).replace(/\p{Cc}/gu, '') || 'repository'}-${shortHash(commit ?? root)}`)

const bounded = (name: string): string =>
  name.length <= NAME_CHARACTERS_MAX
    ? name
    : `${name.slice(0, NAME_CHARACTERS_MAX - HASH_CHARACTERS - 1)}-${shortHash(name)}`

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS)
