// One repository, opened with a token for it: reading a pull request and its files.
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
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

const ChangedFile = z.object({
  filename: z.string().min(1).max(4_096),
  status: z.string().max(20),
  patch: z.string().optional(),
  changes: z.int().default(0),
})
export type ChangedFile = z.output<typeof ChangedFile>

const PER_PAGE = 100

/** The changed files of a pull request, up to a bound. */
export async function listChangedFiles(
  repository: Repository,
  number: number,
  most: number,
): Promise<ChangedFile[]> {
  const files: ChangedFile[] = []
  for (let page = 1; files.length < most; page++) {
    const path = `/pulls/${number}/files?per_page=${PER_PAGE}&page=${page}`
    const found = parseReply(z.array(ChangedFile), await getJson(repository, path), 'changed files')
    files.push(...found)
    if (found.length < PER_PAGE) break
  }
  return files.slice(0, most)
}

const Comparison = z.object({ files: z.array(ChangedFile).default([]) })

/** The same from the commits themselves, for those who may read contents and not pull requests. */
export async function compareCommits(
  repository: Repository,
  base: string,
  head: string,
): Promise<ChangedFile[]> {
  const path = `/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}`
  return parseReply(Comparison, await getJson(repository, path), 'changed files').files
}

const EncodedFile = z.object({ content: z.string(), encoding: z.literal('base64') })

/** A text file at a commit, or on the default branch; null where there is none, or one larger than the bound. */
export async function fetchFile(
  repository: Repository,
  path: string,
  ref: string | null,
  bytesMax: number,
): Promise<string | null> {
  const { app, token, signal, name } = repository
  // A name that would lead to another address is no file's.
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) return null
  const address = `/repos/${name}/contents/${encodePath(path)}${ref === null ? '' : `?ref=${encodeURIComponent(ref)}`}`
  const accept = 'application/vnd.github.raw+json'
  try {
    // Room for an answer that is not raw: in base 64 with some words around it.
    const bytesRoom = bytesMax * 2 + 10_000
    const reply = await sendRequest(app, {
      method: 'GET',
      path: address,
      token,
      signal,
      accept,
      bytesMax: bytesRoom,
    })
    const isRaw = !String(reply.headers['content-type']).startsWith('application/json')
    const bytes = isRaw ? reply.bytes : decodeFile(reply)
    return bytes.length <= bytesMax ? bytes.toString('utf8') : null
  } catch (error) {
    if (isRefusal(error, 403, 404, 413, 422)) return null
    throw error
  }
}

/** The whole tree at a commit as a packed archive, for running its tests. Where it is, only the first answer says. */
export async function fetchTarball(repository: Repository, sha: string, bytesMax: number): Promise<Buffer> {
  const { app, token, signal, name } = repository
  const path = `/repos/${name}/tarball/${encodeURIComponent(sha)}`
  const reply = await sendRequest(app, { method: 'GET', path, token, signal, bytesMax })
  if (reply.status < 300) return reply.bytes
  const address = String(reply.headers.location ?? '')
  const url = URL.canParse(address) ? new URL(address) : null
  // GitHub hands archives out from a host of its own, under an address that is its own key: our token does not go there.
  if (!url || !isGithubHost(app, url)) throw new GithubUnavailable('an archive: it leads elsewhere')
  return download(url, bytesMax, signal)
}

/** The hosts of GitHub itself, or the one that the operator has named for its API. */
function isGithubHost(app: App, { protocol, hostname, origin }: URL): boolean {
  if (protocol === 'https:' && hostname.endsWith('.github.com')) return true
  return app.config.github !== null && origin === new URL(app.config.github.apiUrl).origin
}

const FolderEntries = z.array(z.object({ name: z.string().max(300), type: z.string().max(20) })).max(2_000)

/** The files that lie on the top of a branch or commit; of the default branch without one. */
export async function listRootFiles(repository: Repository, ref: string | null): Promise<Set<string>> {
  const path = `/contents/${ref === null ? '' : `?ref=${encodeURIComponent(ref)}`}`
  const entries = parseReply(FolderEntries, await getJson(repository, path), 'a folder')
  return new Set(entries.filter(({ type }) => type === 'file').map(({ name }) => name))
}

/** `owner/name` as it may stand in an address; null for what is none. */
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

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Not every server of this kind gives files raw; what is not wrapped is the file. */
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
