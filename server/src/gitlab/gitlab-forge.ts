// GitLab as a code host for reviews. Findings are discussions of the merge request, and the check is a commit status, which has
// no annotations.
import { z } from 'zod'
import {
  type Access,
  type Forge,
  type ForgeClient,
  type InlineComment,
  type InlineReview,
  isPlainPath,
  isRefusal,
  nullIfMissing,
  requestBytes,
  requestJson,
  splitDiff,
} from '../forge/forge.ts'
import { Diffs, isShown, MergeRequest, positionOf, toChangedFile, withWhole } from './merge-request.ts'

export type GitlabTarget = {
  readonly apiUrl: string
  readonly token: string
  /** The number of the project, or its path. */
  readonly project: string
  readonly signal: AbortSignal | undefined
}

const PER_PAGE = 100
const PAGES_MAX = 30
const DIFF_BYTES_MAX = 16 * 1024 * 1024
const CHECK_NAME = 'Cowrie review'
const DESCRIPTION_MAX = 255

const clientOf = ({ apiUrl, token, signal }: GitlabTarget): ForgeClient => ({
  host: 'GitLab',
  apiUrl,
  headers: { 'private-token': token },
  signal,
})

const Project = z.object({
  id: z.int().positive(),
  path_with_namespace: z.string().min(1).max(1_000),
  default_branch: z.string().max(300).nullish(),
})
export type GitlabProject = z.output<typeof Project>

export const fetchGitlabProject = (target: GitlabTarget): Promise<GitlabProject> =>
  requestJson(clientOf(target), Project, { path: `/projects/${encodeURIComponent(target.project)}` })

const Notes = z.array(
  z.object({ body: z.string().nullish(), type: z.string().nullish(), system: z.boolean().nullish() }),
)
const Tree = z.array(z.object({ name: z.string().max(1_000), type: z.string().max(20) }))

export function createGitlabForge(target: GitlabTarget): Forge {
  const client = clientOf(target)
  const root = `/projects/${encodeURIComponent(target.project)}`
  const get = <T>(schema: z.ZodType<T>, path: string) =>
    requestJson(client, schema, { path: `${root}${path}` })
  const post = (path: string, body: object) =>
    requestJson(client, z.unknown(), { method: 'POST', path: `${root}${path}`, body })
  const pages = async <T>(schema: z.ZodType<T[]>, path: string, most: number): Promise<T[]> => {
    const all: T[] = []
    for (let page = 1; page <= PAGES_MAX && all.length < most; page++) {
      const found = await get(
        schema,
        `${path}${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}&page=${page}`,
      )
      all.push(...found)
      if (found.length < PER_PAGE) break
    }
    return all.slice(0, most)
  }
  const pull = (number: number) => get(MergeRequest, `/merge_requests/${number}`)
  /** GitLab leaves the text of larger diffs out of its list. */
  const diffs = async (number: number, most: number) => {
    const listed = await pages(Diffs, `/merge_requests/${number}/diffs`, most)
    if (listed.every(isShown)) return listed
    const path = `${root}/merge_requests/${number}/raw_diffs`
    const raw = await nullIfMissing(requestBytes(client, { path, bytesMax: DIFF_BYTES_MAX }))
    const whole = new Map(splitDiff(raw?.toString('utf8') ?? '').map((file) => [file.filename, file]))
    return listed.map((diff) => (isShown(diff) ? diff : withWhole(diff, whole.get(diff.new_path))))
  }

  return {
    kind: 'gitlab',
    hasAnnotations: false,
    withSignal: (signal) => createGitlabForge({ ...target, signal }),
    async fetchPull(number) {
      const { state, sha: head, diff_refs: refs } = await pull(number)
      const { default_branch: branch } = await fetchGitlabProject(target)
      return {
        isOpen: (state === 'opened' || state === 'locked') && Boolean(head),
        headSha: head ?? refs?.head_sha ?? '',
        baseSha: refs?.base_sha ?? '',
        defaultBranch: branch ?? null,
      }
    },
    async listChangedFiles(number, most) {
      const { changes_count: count } = await pull(number)
      const files = (await diffs(number, most)).map(toChangedFile)
      return { files, isWhole: files.length < most && !count?.endsWith('+') }
    },
    async compareCommits(from, to) {
      const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`
      const compared = await get(z.object({ diffs: Diffs }), `/repository/compare?${query}`)
      return compared.diffs.map(toChangedFile)
    },
    async fetchFile(path, ref, bytesMax) {
      if (!isPlainPath(path)) return null
      const address = `${root}/repository/files/${encodeURIComponent(path)}/raw?ref=${encodeURIComponent(ref ?? 'HEAD')}`
      const bytes = await nullIfMissing(requestBytes(client, { path: address, bytesMax }))
      return bytes?.toString('utf8') ?? null
    },
    async listRootFiles(ref) {
      const query = ref === null ? '' : `?ref=${encodeURIComponent(ref)}`
      const entries = await pages(Tree, `/repository/tree${query}`, 2_000)
      return new Set(entries.filter(({ type }) => type === 'blob').map(({ name }) => name))
    },
    fetchArchive: (commit, bytesMax) =>
      requestBytes(client, {
        path: `${root}/repository/archive.tar.gz?sha=${encodeURIComponent(commit)}`,
        bytesMax,
      }),
    async listCommentBodies(number, where) {
      const notes = await pages(Notes, `/merge_requests/${number}/notes`, PER_PAGE * PAGES_MAX)
      return notes
        .filter(({ type, system }) => !system && (type === 'DiffNote') === (where === 'lines'))
        .map(({ body }) => body ?? '')
    },
    async publishInline(number, review) {
      const { diff_refs: refs } = await pull(number)
      // The lines are those of the reviewed head. The review of a newer head follows.
      if (refs?.head_sha !== review.headSha) return new Set()
      const files = await diffs(number, PER_PAGE * PAGES_MAX)
      const accepted = new Set<InlineComment>()
      for (const comment of review.comments) {
        const position = positionOf(comment, refs, files)
        if (!position) continue
        try {
          await post(`/merge_requests/${number}/discussions`, { body: comment.body, position })
          accepted.add(comment)
        } catch (error) {
          if (!isRefusal(error, 400, 422)) throw error
        }
      }
      if (accepted.size > 0) await publishSummary(this, number, review)
      return accepted
    },
    async publishComment(number, body) {
      await post(`/merge_requests/${number}/notes`, { body })
    },
    async publishCheck({ headSha, conclusion, title, detailsUrl }, knownId, saveId) {
      const state = { success: 'success', failure: 'failed', neutral: 'skipped' }[conclusion]
      const body = {
        state,
        name: CHECK_NAME,
        description: title.slice(0, DESCRIPTION_MAX),
        target_url: detailsUrl,
      }
      try {
        const saved = await requestJson(client, z.object({ id: z.int() }), {
          method: 'POST',
          path: `${root}/statuses/${encodeURIComponent(headSha)}`,
          body,
        })
        if (saved.id !== knownId) await saveId(saved.id)
        return saved.id
      } catch (error) {
        // GitLab refuses the state that the status already has.
        if (isRefusal(error, 400) && /cannot transition/i.test(error.reason)) return knownId ?? 0
        throw error
      }
    },
    async readThread(number, thread) {
      const path = `/merge_requests/${number}/discussions/${encodeURIComponent(thread)}`
      const found = await nullIfMissing(get(z.object({ notes: Notes }), path))
      return found?.notes.map(({ body }) => body ?? '') ?? []
    },
    async replyInThread(number, thread, body) {
      await post(`/merge_requests/${number}/discussions/${encodeURIComponent(thread)}/notes`, { body })
    },
    async accessOf({ id }) {
      const path = `/members/all/${encodeURIComponent(id)}`
      const member = await nullIfMissing(get(z.object({ access_level: z.int() }), path))
      return accessFrom(member?.access_level ?? 0)
    },
  }
}

const [GUEST, DEVELOPER, MAINTAINER] = [10, 30, 40]

function accessFrom(level: number): Access {
  if (level >= MAINTAINER) return 'admin'
  if (level >= DEVELOPER) return 'write'
  return level >= GUEST ? 'read' : 'none'
}

/** Once per head, also when an earlier attempt ended midway. */
async function publishSummary(forge: Forge, number: number, { headSha, body }: InlineReview): Promise<void> {
  const mark = `<!-- cowrie:summary=${headSha} -->`
  const bodies = await forge.listCommentBodies(number, 'conversation')
  if (!bodies.some((text) => text.includes(mark))) await forge.publishComment(number, `${body}\n\n${mark}`)
}
