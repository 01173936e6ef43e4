// State of the fake GitHub: repositories, pull requests, and everything that was published.
import { structuredPatch } from 'diff'

export type Files = Readonly<Record<string, string>>
export type FakePull = {
  state: 'open' | 'closed'
  headSha: string
  baseSha: string
  /** Files that are listed without a patch, as GitHub does for binary and large files. */
  readonly withoutPatch: readonly string[]
}
export type FakeRepo = {
  readonly id: number
  readonly installation: number
  /** By branch or commit. */
  readonly commits: Map<string, Files>
  /** The last known commit of each branch: see `commitOf` in contents.ts. */
  readonly refs: Map<string, string>
  /** The git modes of paths that are not ordinary files. The content of a link is its target. */
  readonly modes: Map<string, string>
  readonly pulls: Map<number, FakePull>
}
export type FakeInstallation = {
  readonly account: { readonly id: number; readonly login: string; readonly type: string }
  permissions: Record<string, string>
  events: string[]
  suspended: boolean
}
export type PostedComment = {
  readonly id: number
  readonly path: string
  readonly line: number
  readonly start_line?: number
  readonly body: string
}

export type FakeGithubState = {
  readonly installations: Map<number, FakeInstallation>
  readonly repos: Map<string, FakeRepo>
  readonly tokens: Map<
    string,
    { installation: number; repositories: number[] | null; permissions: Record<string, string> }
  >
  /** Every request, oldest first. */
  readonly requests: string[]
  readonly checks: Record<string, unknown>[]
  readonly reviews: { pr: number; commit: string; event: string; body: string; comments: PostedComment[] }[]
  readonly comments: { pr: number; body: string }[]
  /** Replies in the threads of comments on lines. */
  readonly replies: { pr: number; id: number; in_reply_to_id: number; body: string }[]
  install(id: number, login?: string): FakeInstallation
  addRepo(name: string, installation: number, main: Files): FakeRepo
  openPull(name: string, number: number, head: Files, withoutPatch?: readonly string[]): FakePull
  /** Adds a head to a pull request and returns its SHA. */
  push(name: string, number: number, head: Files): string
  clear(): void
}

export const ALL_PERMISSIONS = { metadata: 'read', contents: 'read', pull_requests: 'write', checks: 'write' }
export const APP_ID = 4_242
export const DEFAULT_BRANCH = 'trunk'

let count = 0
const nextSha = (): string => (++count).toString(16).padStart(40, 'c')

export function createState(): FakeGithubState {
  const state: FakeGithubState = {
    installations: new Map(),
    repos: new Map(),
    tokens: new Map(),
    requests: [],
    checks: [],
    reviews: [],
    comments: [],
    replies: [],
    install(id, login = `account-${id}`) {
      const account = { id: id + 1_000_000, login, type: 'Organization' }
      const installed = {
        account,
        permissions: { ...ALL_PERMISSIONS },
        events: ['pull_request'],
        suspended: false,
      }
      state.installations.set(id, installed)
      return installed
    },
    addRepo(name, installation, main) {
      const commits = new Map([[DEFAULT_BRANCH, main]])
      const repo = {
        id: 5_000 + state.repos.size,
        installation,
        commits,
        refs: new Map<string, string>(),
        modes: new Map<string, string>(),
        pulls: new Map<number, FakePull>(),
      }
      state.repos.set(name, repo)
      return repo
    },
    openPull(name, number, head, withoutPatch = []) {
      const repo = requireRepo(state, name)
      const [baseSha, headSha] = [nextSha(), nextSha()]
      repo.commits.set(baseSha, repo.commits.get(DEFAULT_BRANCH) ?? {})
      repo.commits.set(headSha, head)
      const pull: FakePull = { state: 'open', headSha, baseSha, withoutPatch }
      repo.pulls.set(number, pull)
      return pull
    },
    push(name, number, head) {
      const repo = requireRepo(state, name)
      const pull = repo.pulls.get(number)
      if (!pull) throw new Error('unknown pull request')
      pull.headSha = nextSha()
      repo.commits.set(pull.headSha, head)
      return pull.headSha
    },
    clear() {
      for (const list of [state.requests, state.checks, state.reviews, state.comments, state.replies])
        list.length = 0
    },
  }
  return state
}

export function requireRepo(state: FakeGithubState, name: string): FakeRepo {
  const repo = state.repos.get(name)
  if (!repo) throw new Error(`unknown repository ${name}`)
  return repo
}

/** Changed files in GitHub's format, with patches that start at the first hunk. */
export function listChangedFiles({ commits }: FakeRepo, { baseSha, headSha, withoutPatch }: FakePull) {
  const [before, after] = [commits.get(baseSha) ?? {}, commits.get(headSha) ?? {}]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => before[name] !== after[name])
    .map((filename) => {
      const [older, newer] = [before[filename], after[filename]]
      const status = older === undefined ? 'added' : newer === undefined ? 'removed' : 'modified'
      const patch = withoutPatch.includes(filename) ? {} : { patch: createPatch(older ?? '', newer ?? '') }
      return { filename, status, changes: 1, ...patch }
    })
}

/** The lines on which GitHub accepts comments. */
export function commentableLines(patch: string): Set<number> {
  const lines = new Set<number>()
  let line = 0
  for (const text of patch.split('\n')) {
    const head = /^@@ -\S+ \+(\d+)/.exec(text)
    if (head) line = Number(head[1])
    else if (!text.startsWith('-') && !text.startsWith('\\')) lines.add(line++)
  }
  return lines
}

function createPatch(older: string, newer: string): string {
  const { hunks } = structuredPatch('a', 'b', older, newer, '', '', { context: 3 })
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, lines }) =>
      [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join('\n'),
    )
    .join('\n')
}
