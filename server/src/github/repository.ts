// Reads pull requests and files of one repository.
import { z } from 'zod'
import type { ChangedFile } from '../forge/forge.ts'
import type { App } from '../platform/app.ts'
import { GithubRefusal, GithubUnavailable, isRefusal } from './errors.ts'
import { parseReply } from './installation.ts'
import { type GithubReply, parseJson, sendRequest } from './request.ts'

export type Repository = {
  readonly app: App
  readonly token: string
  /** `owner/name`. */
  readonly name: string
  readonly signal: AbortSignal | undefined
}

export const sha = z.string().regex(/^[0-9a-f]{7,64}$/)

const Pull = z.object({
  state: z.string().max(20).default('open'),
  head: z.object({ sha }),
  base: z
    .object({
      sha: sha.nullish(),
      repo: z.object({ default_branch: z.string().max(300).nullish() }).nullish(),
    })
    .nullish(),
})
export type Pull = z.output<typeof Pull>

export async function fetchPull(repository: Repository, number: number): Promise<Pull> {
  return parseReply(Pull, await getJson(repository, `/pulls/${number}`), 'a pull request')
}

const ChangedFileReply = z.object({
  filename: z.string().min(1).max(4_096),
  status: z.string().max(20),
  patch: z.string().optional(),
  changes: z.int().default(0),
})

const PER_PAGE = 100

/** The first `most` changed files of a pull request. */
export async function listChangedFiles(
  repository: Repository,
  number: number,
  most: number,
): Promise<ChangedFile[]> {
  const files: ChangedFile[] = []
  for (let page = 1; files.length < most; page++) {
    const path = `/pulls/${number}/files?per_page=${PER_PAGE}&page=${page}`
    const found = parseReply(z.array(ChangedFileReply), await getJson(repository, path), 'changed files')
    files.push(...found)
    if (found.length < PER_PAGE) break
  }
  return files.slice(0, most)
}

const Comparison = z.object({ files: z.array(ChangedFileReply).default([]) })

/** Changed files between two commits, for tokens that may read contents but not pull requests. */
export async function compareCommits(
  repository: Repository,
  base: string,
  head: string,
): Promise<ChangedFile[]> {
  const path = `/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}`
  return parseReply(Comparison, await getJson(repository, path), 'changed files').files
}

const EncodedFile = z.object({ content: z.string(), encoding: z.literal('base64') })

/** A text file at a commit or on the default branch. Null when it does not exist or is too large. */
export async function fetchFile(
  repository: Repository,
  path: string,
  ref: string | null,
  bytesMax: number,
): Promise<string | null> {
  const { app, token, signal, name } = repository
  // Such a path could address another endpoint.
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) return null
  const address = `/repos/${name}/contents/${encodePath(path)}${ref === null ? '' : `?ref=${encodeURIComponent(ref)}`}`
  const accept = 'application/vnd.github.raw+json'
  try {
    // Leaves room for a reply in base64 inside JSON.
    const replyBytesMax = bytesMax * 2 + 10_000
    const reply = await sendRequest(app, {
      method: 'GET',
      path: address,
      token,
      signal,
      accept,
      bytesMax: replyBytesMax,
    })
    const isRaw = !String(reply.headers['content-type']).startsWith('application/json')
    const bytes = isRaw ? reply.bytes : decodeFile(reply)
    return bytes.length <= bytesMax ? decodeText(bytes) : null
  } catch (error) {
    if (isRefusal(error, 403, 404, 413, 422)) return null
    throw error
  }
}

/** UTF-16 with a byte order mark, otherwise UTF-8. */
function decodeText(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2)
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2))
  if (mark === '\xff\xfe') return even.toString('utf16le')
  return mark === '\xfe\xff' ? Buffer.from(even).swap16().toString('utf16le') : bytes.toString('utf8')
}

/** The tree at a commit as a compressed archive, for running its tests. GitHub redirects to its location. */
export async function fetchTarball(repository: Repository, sha: string, bytesMax: number): Promise<Buffer> {
  const { app, token, signal, name } = repository
  const path = `/repos/${name}/tarball/${encodeURIComponent(sha)}`
  const reply = await sendRequest(app, { method: 'GET', path, token, signal, bytesMax })
  if (reply.status < 300) return reply.bytes
  const address = String(reply.headers.location ?? '')
  const url = URL.canParse(address) ? new URL(address) : null
  // The URL of the archive contains its own credentials, so our token is not sent to that host.
  if (!url || !isGithubHost(app, url))
    throw new GithubUnavailable('an archive: redirected to an unknown host')
  return download(url, bytesMax, signal)
}

/** A host of GitHub, or the host that the operator configured for its API. */
export function isGithubHost(app: App, { protocol, hostname, origin }: URL): boolean {
  if (protocol === 'https:' && hostname.endsWith('.github.com')) return true
  return app.config.github !== null && origin === new URL(app.config.github.apiUrl).origin
}

const FolderEntries = z.array(z.object({ name: z.string().max(300), type: z.string().max(20) })).max(2_000)

/** File names in the root folder of a branch or commit. Null means the default branch. */
export async function listRootFiles(repository: Repository, ref: string | null): Promise<Set<string>> {
  const path = `/contents/${ref === null ? '' : `?ref=${encodeURIComponent(ref)}`}`
  const entries = parseReply(FolderEntries, await getJson(repository, path), 'a folder')
  return new Set(entries.filter(({ type }) => type === 'file').map(({ name }) => name))
}

const Branches = z.array(z.object({ name: z.string().min(1).max(255) }))

/** The first `most` branches, at most 100. */
export async function listBranches(repository: Repository, most: number): Promise<string[]> {
  const found = parseReply(Branches, await getJson(repository, `/branches?per_page=${most}`), 'branches')
  return found.slice(0, most).map(({ name }) => name)
}

/** `owner/name` if it is safe to use in a URL, else null. */
export function parseRepositoryName(fullName: string): string | null {
  const isName = /^[\w.-]{1,100}\/[\w.-]{1,100}$/.test(fullName)
  return isName && !fullName.split('/').some((part) => part === '.' || part === '..') ? fullName : null
}

export async function getJson({ app, token, signal, name }: Repository, path: string): Promise<unknown> {
  return parseJson(
    await sendRequest(app, { method: 'GET', path: `/repos/${name}${path}`, token, signal }),
    path,
  )
}

export async function sendJson(
  { app, token, signal, name }: Repository,
  method: 'POST' | 'PATCH',
  path: string,
  body: object,
): Promise<unknown> {
  return parseJson(
    await sendRequest(app, { method, path: `/repos/${name}${path}`, token, signal, body }),
    path,
  )
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Some GitHub servers ignore the raw media type. A reply that is not base64 in JSON is the file itself. */
function decodeFile(reply: GithubReply): Buffer {
  const file = EncodedFile.safeParse(parseJson(reply, 'a file'))
  return file.success ? Buffer.from(file.data.content, 'base64') : reply.bytes
}

async function download(url: URL, bytesMax: number, signal: AbortSignal | undefined): Promise<Buffer> {
  try {
    return await readWithin(await fetch(url, { redirect: 'error', ...(signal && { signal }) }), bytesMax)
  } catch (error) {
    if (error instanceof GithubRefusal || error instanceof GithubUnavailable) throw error
    signal?.throwIfAborted()
    throw new GithubUnavailable('an archive', error)
  }
}

async function readWithin(archive: Response, bytesMax: number): Promise<Buffer> {
  if (!archive.ok || !archive.body) throw new GithubUnavailable(`an archive: ${archive.status}`)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of archive.body) {
    size += part.length
    if (size > bytesMax) throw new GithubRefusal(413, 'an archive')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
