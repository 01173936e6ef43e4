// Reads the contents of a repository: its name, commits, archives and blobs.
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { present } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import { GithubUnavailable } from './errors.ts'
import { parseReply } from './installation.ts'
import { isGithubHost, parseRepositoryName, type Repository } from './repository.ts'
import { discardBody, openDownload, openStream, parseJson, sendRequest } from './request.ts'

export type RepositoryInfo = { readonly id: number; readonly name: string; readonly defaultBranch: string }

const Info = z.object({
  id: z.int().positive(),
  full_name: z.string().max(300),
  default_branch: z.string().max(300).default('main'),
})

/** A repository by its current or former name. */
export async function fetchRepositoryInfo(
  app: App,
  token: string,
  name: string,
  signal?: AbortSignal,
): Promise<RepositoryInfo> {
  const request = { method: 'GET', token, signal } as const
  const path = `/repos/${name}`
  const reply = await sendRequest(app, { ...request, path })
  const found =
    reply.status < 300
      ? reply
      : await sendRequest(app, { ...request, path: renamedPath(app, String(reply.headers.location ?? '')) })
  const info = parseReply(Info, parseJson(found, path), path)
  const fullName = parseRepositoryName(info.full_name)
  if (fullName === null) throw new GithubUnavailable(path)
  return { id: info.id, name: fullName, defaultBranch: info.default_branch }
}

/** GitHub redirects former names to `/repositories/<id>`. */
function renamedPath(app: App, location: string): string {
  const { apiUrl } = present(app.config.github, 'the GitHub App is configured')
  const id = /\/repositories\/(\d{1,15})$/.exec(location)?.[1]
  if (id === undefined || !location.startsWith(`${apiUrl.replace(/\/+$/, '')}/`))
    throw new GithubUnavailable('a repository: redirected to an unknown address')
  return `/repositories/${id}`
}

/** The full SHA of a branch, a tag or a commit. GitHub refuses an unknown one with 404 or 422. */
export async function resolveCommit({ app, token, signal, name }: Repository, ref: string): Promise<string> {
  const path = `/repos/${name}/commits/${encodeURIComponent(ref)}`
  const accept = 'application/vnd.github.sha'
  const { bytes } = await sendRequest(app, { method: 'GET', path, token, signal, accept })
  const commit = bytes.toString('utf8').trim()
  if (!isFullSha(commit)) throw new GithubUnavailable(path)
  return commit
}

export const isFullSha = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

/** The compressed tree of a commit. GitHub redirects to its location. */
export async function openArchive(
  { app, token, signal, name }: Repository,
  commit: string,
): Promise<Readable> {
  const path = `/repos/${name}/tarball/${encodeURIComponent(commit)}`
  const { status, headers, body } = await openStream(app, { method: 'GET', path, token, signal })
  if (status < 300) return body
  discardBody(body)
  const address = String(headers.location ?? '')
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !isGithubHost(app, url))
    throw new GithubUnavailable('an archive: redirected to an unknown host')
  return (await openDownload(url, signal)).body
}

const EncodedBlob = z.object({ content: z.string(), encoding: z.literal('base64') })

/** The content of a blob in pieces, at most `bytesMax`. */
export async function* readBlob(
  { app, token, signal, name }: Repository,
  sha: string,
  bytesMax: number,
): AsyncGenerator<Buffer> {
  const path = `/repos/${name}/git/blobs/${encodeURIComponent(sha)}`
  const accept = 'application/vnd.github.raw+json'
  const { headers, body } = await openStream(app, { method: 'GET', path, token, signal, accept })
  try {
    // Some GitHub servers ignore the raw media type.
    if (String(headers['content-type']).startsWith('application/json'))
      yield decodeBlob(await collect(body, bytesMax * 2 + 10_000, path), path)
    else for await (const piece of limited(body, bytesMax, path)) yield piece
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof GithubUnavailable ? error : new GithubUnavailable(path, error)
  } finally {
    discardBody(body)
  }
}

function decodeBlob(bytes: Buffer, path: string): Buffer {
  const blob = parseReply(EncodedBlob, parseJson({ status: 200, headers: {}, bytes }, path), path)
  return Buffer.from(blob.content, 'base64')
}

async function* limited(body: AsyncIterable<Buffer>, bytesMax: number, path: string): AsyncGenerator<Buffer> {
  let size = 0
  for await (const piece of body) {
    size += piece.length
    if (size > bytesMax) throw new GithubUnavailable(`${path}: longer than announced`)
    yield piece
  }
}

async function collect(body: AsyncIterable<Buffer>, bytesMax: number, path: string): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(limited(body, bytesMax, path)))
}
