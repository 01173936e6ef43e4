// GitHub as a code host for reviews.
import { z } from 'zod'
import type { Access, Forge, InlineReview } from '../forge/forge.ts'
import { listCommentBodies, publishCheck, publishComment, publishReview } from './checks-and-comments.ts'
import { isRefusal } from './errors.ts'
import { parseReply } from './installation.ts'
import {
  compareCommits,
  fetchFile,
  fetchPull,
  fetchTarball,
  getJson,
  listChangedFiles,
  listRootFiles,
  type Repository,
  sendJson,
} from './repository.ts'

export function createGithubForge(repository: Repository): Forge {
  return {
    kind: 'github',
    hasAnnotations: true,
    withSignal: (signal) => createGithubForge({ ...repository, signal }),
    async fetchPull(number) {
      const { state, head, base } = await fetchPull(repository, number)
      return {
        isOpen: state === 'open',
        headSha: head.sha,
        baseSha: base?.sha ?? '',
        defaultBranch: base?.repo?.default_branch ?? null,
      }
    },
    async listChangedFiles(number, most) {
      const files = await listChangedFiles(repository, number, most)
      return { files, isWhole: files.length < most }
    },
    compareCommits: (base, head) => compareCommits(repository, base, head),
    fetchFile: (path, ref, bytesMax) => fetchFile(repository, path, ref, bytesMax),
    listRootFiles: (ref) => listRootFiles(repository, ref),
    fetchArchive: (sha, bytesMax) => fetchTarball(repository, sha, bytesMax),
    listCommentBodies: (number, where) =>
      listCommentBodies(repository, number, where === 'lines' ? 'pulls' : 'issues'),
    async publishInline(number: number, review: InlineReview) {
      await publishReview(repository, number, review)
      return new Set(review.comments)
    },
    publishComment: (number, body) => publishComment(repository, number, body),
    publishCheck: (check, knownId, saveId) => publishCheck(repository, check, knownId, saveId),
    readThread: (number, thread) => readThread(repository, number, thread),
    async replyInThread(number, thread, body) {
      const path = `/pulls/${number}/comments/${encodeURIComponent(thread)}/replies`
      await sendJson(repository, 'POST', path, { body })
    },
    accessOf: ({ name }) => fetchAccess(repository, name),
  }
}

const ThreadComments = z.array(
  z.object({ id: z.int(), in_reply_to_id: z.int().nullish(), body: z.string().nullish() }),
)
const PER_PAGE = 100
const PAGES_MAX = 10

/** A thread is named by the id of its first comment. */
async function readThread(repository: Repository, number: number, thread: string): Promise<string[]> {
  const bodies: string[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const path = `/pulls/${number}/comments?per_page=${PER_PAGE}&page=${page}`
    const found = parseReply(ThreadComments, await getJson(repository, path), 'comments')
    const isOfThread = ({ id, in_reply_to_id: root }: (typeof found)[number]) =>
      String(id) === thread || String(root ?? '') === thread
    bodies.push(...found.filter(isOfThread).map(({ body }) => body ?? ''))
    if (found.length < PER_PAGE) break
  }
  return bodies
}

const Permission = z.object({ permission: z.string().max(40) })

async function fetchAccess(repository: Repository, login: string): Promise<Access> {
  try {
    const path = `/collaborators/${encodeURIComponent(login)}/permission`
    const { permission } = parseReply(Permission, await getJson(repository, path), 'a permission')
    return (['admin', 'write', 'read'] as const).find((each) => each === permission) ?? 'none'
  } catch (error) {
    if (isRefusal(error, 403, 404)) return 'none'
    throw error
  }
}
