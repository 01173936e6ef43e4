// Writes commits, branches and pull requests of one repository. Nothing is ever pushed with force.
import { z } from 'zod'
import { isRefusal } from './errors.ts'
import { parseReply } from './installation.ts'
import { getJson, type Repository, sendJson, sha } from './repository.ts'
import { parseJson, sendRequest } from './request.ts'

const GitCommit = z.object({
  sha,
  message: z.string().default(''),
  tree: z.object({ sha }),
  parents: z.array(z.object({ sha })).default([]),
})
export type GitCommit = z.output<typeof GitCommit>

export async function fetchGitCommit(repository: Repository, commit: string): Promise<GitCommit> {
  const path = `/git/commits/${encodeURIComponent(commit)}`
  return parseReply(GitCommit, await getJson(repository, path), 'a commit')
}

const TreeEntry = z.object({
  path: z.string().max(4_096),
  mode: z.string().max(6),
  type: z.string().max(10),
  sha,
})
const Tree = z.object({ sha, tree: z.array(TreeEntry).max(100_000) })
export type GitTreeEntry = z.output<typeof TreeEntry>

/** The entries of one folder. */
export async function fetchFolder(repository: Repository, tree: string): Promise<GitTreeEntry[]> {
  const { app, token, signal, name } = repository
  const path = `/repos/${name}/git/trees/${encodeURIComponent(tree)}`
  const reply = await sendRequest(app, { method: 'GET', path, token, signal, bytesMax: FOLDER_BYTES_MAX })
  return parseReply(Tree, parseJson(reply, path), 'a folder').tree
}

const FOLDER_BYTES_MAX = 32 * 1024 * 1024

export type FileMode = '100644' | '100755'
/** A file of a new tree; null deletes it. */
export type TreeChange = { readonly path: string; readonly mode: FileMode; readonly content: string | null }

/** Texts in the request for a tree. Larger ones are sent as blobs, one per request. */
const INLINE_TEXT_MAX = 256 * 1024
const INLINE_TOTAL_MAX = 4 * 1024 * 1024
const Created = z.object({ sha })

/** Creates a tree from another one and returns its SHA. A deleted file must exist in the base. */
export async function createTree(
  repository: Repository,
  baseTree: string,
  changes: readonly TreeChange[],
): Promise<string> {
  const tree: object[] = []
  let inlineBytes = 0
  for (const { path, mode, content } of changes) {
    const entry = { path, mode, type: 'blob' }
    const bytes = content === null ? 0 : Buffer.byteLength(content)
    if (content === null) tree.push({ ...entry, sha: null })
    else if (bytes <= INLINE_TEXT_MAX && inlineBytes + bytes <= INLINE_TOTAL_MAX) {
      inlineBytes += bytes
      tree.push({ ...entry, content })
    } else tree.push({ ...entry, sha: await createBlob(repository, content) })
  }
  const created = await sendJson(repository, 'POST', '/git/trees', { base_tree: baseTree, tree })
  return parseReply(Created, created, 'a tree').sha
}

async function createBlob(repository: Repository, content: string): Promise<string> {
  const body = { content: Buffer.from(content).toString('base64'), encoding: 'base64' }
  return parseReply(Created, await sendJson(repository, 'POST', '/git/blobs', body), 'a blob').sha
}

/** Without an author, so that GitHub names the app as the author and signs the commit. */
export async function createCommit(
  repository: Repository,
  commit: { readonly message: string; readonly tree: string; readonly parent: string },
): Promise<string> {
  const { message, tree, parent } = commit
  const created = await sendJson(repository, 'POST', '/git/commits', { message, tree, parents: [parent] })
  return parseReply(Created, created, 'a commit').sha
}

const Reference = z.object({ object: z.object({ sha }) })

/** The head of a branch; null if there is no such branch. */
export async function fetchBranchHead(repository: Repository, branch: string): Promise<string | null> {
  try {
    const reference = await getJson(repository, `/git/ref/heads/${encodeBranch(branch)}`)
    return parseReply(Reference, reference, 'a branch').object.sha
  } catch (error) {
    if (isRefusal(error, 404)) return null
    throw error
  }
}

/** GitHub refuses with 422 if the branch exists or a rule forbids it. */
export async function createBranch(repository: Repository, branch: string, head: string): Promise<void> {
  await sendJson(repository, 'POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: head })
}

/** GitHub refuses with 422 if the branch moved or a rule forbids it. */
export async function advanceBranch(repository: Repository, branch: string, head: string): Promise<void> {
  await sendJson(repository, 'PATCH', `/git/refs/heads/${encodeBranch(branch)}`, { sha: head, force: false })
}

const PublishedPull = z.object({
  number: z.int().positive().max(2_000_000_000),
  html_url: z.url({ protocol: /^https?$/ }).max(1_000),
  state: z.string().max(20),
  draft: z.boolean().nullish(),
  body: z.string().nullish(),
  head: z.object({ ref: z.string().max(1_000), sha }),
})
export type PublishedPull = z.output<typeof PublishedPull>

export async function fetchPublishedPull(repository: Repository, number: number): Promise<PublishedPull> {
  return parseReply(PublishedPull, await getJson(repository, `/pulls/${number}`), 'a pull request')
}

/** The open pull request from a branch of the same repository. */
export async function findOpenPull(repository: Repository, branch: string): Promise<PublishedPull | null> {
  const owner = repository.name.split('/')[0] ?? ''
  const query = `state=open&per_page=10&head=${encodeURIComponent(`${owner}:${branch}`)}`
  const found = await getJson(repository, `/pulls?${query}`)
  const pulls = parseReply(z.array(PublishedPull), found, 'pull requests')
  return pulls.find(({ head }) => head.ref === branch) ?? null
}

export type NewPull = {
  readonly title: string
  readonly body: string
  readonly branch: string
  readonly base: string
  readonly draft: boolean
}

export async function createPull(
  repository: Repository,
  { title, body, branch, base, draft }: NewPull,
): Promise<PublishedPull> {
  const created = await sendJson(repository, 'POST', '/pulls', { title, body, head: branch, base, draft })
  return parseReply(PublishedPull, created, 'a pull request')
}

export async function updatePullBody(repository: Repository, number: number, body: string): Promise<void> {
  await sendJson(repository, 'PATCH', `/pulls/${number}`, { body })
}

const Access = z.object({ permission: z.string().max(40) })

/** Whether a user may push to the repository. */
export async function hasWriteAccess(repository: Repository, login: string): Promise<boolean> {
  try {
    const path = `/collaborators/${encodeURIComponent(login)}/permission`
    const { permission } = parseReply(Access, await getJson(repository, path), 'a permission')
    return permission === 'write' || permission === 'admin'
  } catch (error) {
    if (isRefusal(error, 403, 404)) return false
    throw error
  }
}

const encodeBranch = (branch: string): string => branch.split('/').map(encodeURIComponent).join('/')
