// The write endpoints of git data and pull requests: commits, trees, blobs, branches, pull requests, and who may push.
import { createHash, randomBytes } from 'node:crypto'
import { blobId, commitOf, gitObjects } from './contents.ts'
import type { FakePull, FakeRepo, Files } from './state.ts'
import type { FakeReply, FakeRequest } from './wire.ts'

export type PushedCommit = {
  readonly message: string
  readonly tree: string
  readonly parents: readonly string[]
}
export type OpenedPull = {
  title: string
  body: string
  readonly draft: boolean
  readonly branch: string
  readonly base: string
}
export type GitData = {
  /** Commits that were created over the API. */
  readonly commits: Map<string, PushedCommit>
  readonly trees: Map<string, Files>
  readonly blobs: Map<string, string>
  /** Pull requests that were opened over the API. */
  readonly pulls: Map<number, OpenedPull>
  /** The rights of each user in the repository: `admin`, `write`, `read`. */
  readonly access: Map<string, string>
}

const stores = new WeakMap<FakeRepo, GitData>()

export function gitData(repo: FakeRepo): GitData {
  const found = stores.get(repo)
  if (found) return found
  const made: GitData = {
    commits: new Map(),
    trees: new Map(),
    blobs: new Map(),
    pulls: new Map(),
    access: new Map(),
  }
  stores.set(repo, made)
  return made
}

const ok = (body: object, status = 200): FakeReply => ({ status, body })
const refused = (status: number, message: string): FakeReply => ({ status, body: { message } })
const NOT_FOUND = refused(404, 'Not Found')
const NOT_ALLOWED = refused(403, 'Resource not accessible by integration')

type PermissionCheck = (permission: string, access: 'read' | 'write') => boolean
type Endpoint = {
  readonly pattern: RegExp
  readonly permission: string
  readonly access: 'read' | 'write'
  reply(target: Target): FakeReply
}
type Target = {
  readonly name: string
  readonly repo: FakeRepo
  readonly data: GitData
  readonly body: Record<string, unknown>
  readonly query: URLSearchParams
  /** The variable part of the path. */
  readonly id: string
}

const ENDPOINTS: readonly Endpoint[] = [
  { pattern: /^GET \/git\/commits\/(.+)$/, permission: 'contents', access: 'read', reply: showCommit },
  { pattern: /^POST \/git\/commits()$/, permission: 'contents', access: 'write', reply: createCommit },
  { pattern: /^POST \/git\/trees()$/, permission: 'contents', access: 'write', reply: createTree },
  { pattern: /^POST \/git\/blobs()$/, permission: 'contents', access: 'write', reply: createBlob },
  { pattern: /^GET \/git\/ref\/heads\/(.+)$/, permission: 'contents', access: 'read', reply: showRef },
  { pattern: /^POST \/git\/refs()$/, permission: 'contents', access: 'write', reply: createRef },
  { pattern: /^PATCH \/git\/refs\/heads\/(.+)$/, permission: 'contents', access: 'write', reply: updateRef },
  { pattern: /^GET \/pulls()$/, permission: 'pull_requests', access: 'read', reply: listPulls },
  { pattern: /^POST \/pulls()$/, permission: 'pull_requests', access: 'write', reply: openPull },
  { pattern: /^GET \/pulls\/(\d+)$/, permission: 'pull_requests', access: 'read', reply: showPull },
  { pattern: /^PATCH \/pulls\/(\d+)$/, permission: 'pull_requests', access: 'write', reply: updatePull },
  {
    pattern: /^GET \/collaborators\/(.+)\/permission$/,
    permission: 'metadata',
    access: 'read',
    reply: showAccess,
  },
]

/** Null for other endpoints. */
export function replyToGitData(
  { method, query, body }: FakeRequest,
  name: string,
  repo: FakeRepo,
  rest: string,
  isAllowed: PermissionCheck,
): FakeReply | null {
  for (const { pattern, permission, access, reply } of ENDPOINTS) {
    const match = pattern.exec(`${method} ${rest}`)
    if (!match) continue
    // GitHub grants the reading of metadata to every token.
    if (permission !== 'metadata' && !isAllowed(permission, access)) return NOT_ALLOWED
    const target = { name, repo, data: gitData(repo), body, query, id: match[1] ?? '' }
    // Pull requests of the review tests are shown elsewhere.
    if (reply === showPull && !target.data.pulls.has(Number(target.id))) return null
    return reply(target)
  }
  return null
}

function showCommit({ repo, data, id }: Target): FakeReply {
  const files = repo.commits.get(id)
  if (!files || !/^[0-9a-f]{40}$/.test(id)) return NOT_FOUND
  const { message = '', parents = [] } = data.commits.get(id) ?? {}
  const tree = { sha: gitObjects(repo, files).rootTree }
  return ok({ sha: id, message, tree, parents: parents.map((sha) => ({ sha })) })
}

type TreeEntry = { path: string; mode: string; content?: string; sha?: string | null }

function createTree({ repo, data, body }: Target): FakeReply {
  const base = findTree(repo, data, String(body.base_tree))
  if (!base) return NOT_FOUND
  const files: Record<string, string> = { ...base }
  for (const { path, mode, content, sha } of body.tree as TreeEntry[]) {
    const text = content ?? data.blobs.get(sha ?? '')
    if (sha === null && !Object.hasOwn(files, path)) return refused(422, 'GitRPC::BadObjectState')
    if (sha !== null && text === undefined) return refused(422, `tree.sha ${sha} is not a valid blob`)
    delete files[path]
    if (text !== undefined) files[path] = text
    if (mode === '100644') repo.modes.delete(path)
    else repo.modes.set(path, mode)
  }
  const sha = gitObjects(repo, files).rootTree
  data.trees.set(sha, files)
  return ok({ sha, tree: [] }, 201)
}

function findTree(repo: FakeRepo, data: GitData, sha: string): Files | undefined {
  return (
    data.trees.get(sha) ??
    [...repo.commits.values()].find((files) => gitObjects(repo, files).rootTree === sha)
  )
}

function createBlob({ data, body }: Target): FakeReply {
  const content = Buffer.from(String(body.content), body.encoding === 'base64' ? 'base64' : 'utf8')
  const sha = blobId(content)
  data.blobs.set(sha, content.toString('utf8'))
  return ok({ sha }, 201)
}

function createCommit({ repo, data, body }: Target): FakeReply {
  const [tree, parents] = [String(body.tree), body.parents as string[]]
  const files = findTree(repo, data, tree)
  if (!files || !parents.every((parent) => repo.commits.has(parent)))
    return refused(422, 'Tree SHA does not exist')
  const sha = createHash('sha1').update(randomBytes(20)).digest('hex')
  data.commits.set(sha, { message: String(body.message), tree, parents })
  repo.commits.set(sha, files)
  return ok({ sha }, 201)
}

function showRef({ repo, id }: Target): FakeReply {
  const sha = commitOf(repo, id)
  return sha === null ? NOT_FOUND : ok({ ref: `refs/heads/${id}`, object: { type: 'commit', sha } })
}

function createRef({ repo, body }: Target): FakeReply {
  const [branch, sha] = [String(body.ref).replace('refs/heads/', ''), String(body.sha)]
  if (!repo.commits.has(sha)) return refused(422, 'Object does not exist')
  if (repo.commits.has(branch)) return refused(422, 'Reference already exists')
  const isBelow = [...repo.commits.keys()].some(
    (each) => branch.startsWith(`${each}/`) || each.startsWith(`${branch}/`),
  )
  if (isBelow) return refused(422, 'Reference update failed')
  moveBranch(repo, branch, sha)
  return ok({ ref: body.ref, object: { sha } }, 201)
}

function updateRef({ repo, data, body, id }: Target): FakeReply {
  const head = commitOf(repo, id)
  if (head === null) return refused(422, 'Reference does not exist')
  if (body.force !== false) return refused(422, 'Cannot force-push to this branch')
  const ancestors = (sha: string): string[] => [
    sha,
    ...(data.commits.get(sha)?.parents ?? []).flatMap(ancestors),
  ]
  if (!ancestors(String(body.sha)).includes(head)) return refused(422, 'Update is not a fast forward')
  moveBranch(repo, id, String(body.sha))
  return ok({ ref: `refs/heads/${id}`, object: { sha: body.sha } })
}

/** Points a branch and its pull requests to a commit. */
export function moveBranch(repo: FakeRepo, branch: string, sha: string): void {
  repo.commits.set(branch, repo.commits.get(sha) ?? {})
  repo.refs.set(branch, sha)
  for (const [number, opened] of gitData(repo).pulls) {
    const pull = repo.pulls.get(number)
    if (pull && opened.branch === branch) pull.headSha = sha
  }
}

/** A commit of another author on a branch. */
export function pushByOthers(repo: FakeRepo, branch: string, files: Files): string {
  const parent = commitOf(repo, branch)
  const sha = createHash('sha1').update(randomBytes(20)).digest('hex')
  const parents = parent === null ? [] : [parent]
  gitData(repo).commits.set(sha, { message: 'Other work', tree: gitObjects(repo, files).rootTree, parents })
  repo.commits.set(sha, files)
  moveBranch(repo, branch, sha)
  return sha
}

/** The maintainer merges a pull request at GitHub. Its webhook is `pullMessage('closed', …, { merged: true })`. */
export function mergeByMaintainer(repo: FakeRepo, number: number): void {
  const [pull, opened] = [repo.pulls.get(number), gitData(repo).pulls.get(number)]
  if (!pull || !opened || pull.state !== 'open') throw new Error(`${number} is not an open pull request`)
  pushByOthers(repo, opened.base, repo.commits.get(opened.branch) ?? {})
  pull.state = 'closed'
}

function listPulls({ name, repo, data, query }: Target): FakeReply {
  const [owner] = name.split('/')
  const found = [...data.pulls].filter(([number, { branch }]) => {
    const isHead = query.get('head') === null || query.get('head') === `${owner}:${branch}`
    return isHead && repo.pulls.get(number)?.state === (query.get('state') ?? 'open')
  })
  return ok(found.map(([number]) => describePull(name, repo, number)))
}

function openPull({ name, repo, data, body }: Target): FakeReply {
  const [branch, base] = [String(body.head), String(body.base)]
  const [headSha, baseSha] = [commitOf(repo, branch), commitOf(repo, base)]
  if (headSha === null || baseSha === null) return refused(422, 'Validation Failed: head or base invalid')
  const isOpen = ([number, opened]: [number, OpenedPull]) =>
    opened.branch === branch && repo.pulls.get(number)?.state === 'open'
  if ([...data.pulls].some(isOpen)) return refused(422, `A pull request already exists for ${branch}.`)
  if (repo.commits.get(branch) === repo.commits.get(base))
    return refused(422, `No commits between ${base} and ${branch}`)
  const number = 1 + Math.max(0, ...repo.pulls.keys())
  const pull: FakePull = { state: 'open', headSha, baseSha, withoutPatch: [] }
  repo.pulls.set(number, pull)
  const [title, text, draft] = [String(body.title), String(body.body), body.draft === true]
  data.pulls.set(number, { title, body: text, draft, branch, base })
  return ok(describePull(name, repo, number), 201)
}

function showPull({ name, repo, id }: Target): FakeReply {
  return ok(describePull(name, repo, Number(id)))
}

function updatePull({ name, repo, data, body, id }: Target): FakeReply {
  const opened = data.pulls.get(Number(id))
  if (!opened) return NOT_FOUND
  if (typeof body.body === 'string') opened.body = body.body
  if (typeof body.title === 'string') opened.title = body.title
  return ok(describePull(name, repo, Number(id)))
}

function describePull(name: string, repo: FakeRepo, number: number): object {
  const [pull, opened] = [repo.pulls.get(number), gitData(repo).pulls.get(number)]
  return {
    number,
    html_url: `https://github.example/${name}/pull/${number}`,
    state: pull?.state,
    title: opened?.title,
    body: opened?.body,
    draft: opened?.draft,
    head: { ref: opened?.branch, sha: pull?.headSha, repo: { id: repo.id } },
    base: { ref: opened?.base, sha: pull?.baseSha },
  }
}

function showAccess({ data, id }: Target): FakeReply {
  return ok({ permission: data.access.get(id) ?? 'none' })
}
