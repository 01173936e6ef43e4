// Bitbucket as a code host for reviews. The check is a build status and a report, whose annotations are shown at the lines.
import { z } from 'zod'
import {
  type Access,
  type ChangedFile,
  encodePath,
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
import { CHECK_KEY, reportOf, statusOf, toAnnotation } from './report.ts'
import { repositoryName } from './webhook-payloads.ts'

export type BitbucketTarget = {
  readonly apiUrl: string
  /** The pages of Bitbucket, which also serve archives. */
  readonly webUrl: string
  readonly token: string
  /** `workspace/repository`. */
  readonly repository: string
  readonly signal: AbortSignal | undefined
}

const PER_PAGE = 100
const PAGES_MAX = 30
const DIFF_BYTES_MAX = 16 * 1024 * 1024
/** Pull requests name their commits by the first characters. */
const SHORT_SHA = 12

const clientOf = ({ apiUrl, webUrl, token, signal }: BitbucketTarget): ForgeClient => ({
  host: 'Bitbucket',
  ...{ apiUrl, webUrl },
  headers: { authorization: `Bearer ${token}` },
  signal,
})

const Repository = z.object({
  uuid: z.string().min(1).max(100),
  full_name: repositoryName,
  mainbranch: z.object({ name: z.string().max(300) }).nullish(),
})
export type BitbucketRepository = z.output<typeof Repository>

export const fetchBitbucketRepository = (target: BitbucketTarget): Promise<BitbucketRepository> =>
  requestJson(clientOf(target), Repository, { path: `/repositories/${encodePath(target.repository)}` })

const hash = z.string().regex(/^[0-9a-f]{7,64}$/)
const PullRequest = z.object({
  state: z.string().max(40),
  source: z.object({
    commit: z.object({ hash }).nullish(),
    repository: z.object({ full_name: repositoryName }).nullish(),
  }),
  destination: z.object({ commit: z.object({ hash }).nullish() }),
})
const CommentItem = z.object({
  id: z.int(),
  content: z.object({ raw: z.string().nullish() }).nullish(),
  inline: z.object({ path: z.string() }).nullish(),
  parent: z.object({ id: z.int() }).nullish(),
})
type CommentItem = z.output<typeof CommentItem>
const side = z.object({ path: z.string().min(1).max(4_096) }).nullish()
const DiffStat = z.object({ status: z.string().max(40), old: side, new: side })
const FolderEntry = z.object({ path: z.string().max(4_096), type: z.string().max(40) })
const page = <T>(item: z.ZodType<T>) => z.object({ values: z.array(item), next: z.string().nullish() })

export function createBitbucketForge(target: BitbucketTarget): Forge {
  const client = clientOf(target)
  const root = `/repositories/${encodePath(target.repository)}`
  const get = <T>(schema: z.ZodType<T>, path: string) =>
    requestJson(client, schema, { path: `${root}${path}` })
  const send = (method: 'POST' | 'PUT', path: string, body: object) =>
    requestJson(client, z.unknown(), { method, path: `${root}${path}`, body })
  const pages = async <T>(item: z.ZodType<T>, path: string): Promise<T[]> => {
    const all: T[] = []
    let next: string | null = `${root}${path}?pagelen=${PER_PAGE}`
    for (let number = 1; number <= PAGES_MAX && next; number++) {
      const found: { values: T[]; next?: string | null | undefined } = await requestJson(client, page(item), {
        path: next,
      })
      all.push(...found.values)
      next = found.next ?? null
    }
    return all
  }
  /** The repository of each head; commits of a fork are only there. */
  const homes = new Map<string, string>()
  const homeOf = (ref: string) => `/repositories/${encodePath(homes.get(ref) ?? target.repository)}`
  const diff = async (path: string) =>
    splitDiff(
      (await requestBytes(client, { path: `${root}${path}`, bytesMax: DIFF_BYTES_MAX })).toString('utf8'),
    )
  /** The files of a diff that is too large, without their texts. */
  const diffStat = async (number: number): Promise<ChangedFile[]> =>
    (await pages(DiffStat, `/pullrequests/${number}/diffstat`)).map(({ status, ...sides }) => ({
      ...{ filename: (sides.new ?? sides.old)?.path ?? '', status, changes: 1 },
    }))
  const mainBranch = async () => (await fetchBitbucketRepository(target)).mainbranch?.name ?? 'main'
  const fullSha = async (commit: string) =>
    (await get(z.object({ hash }), `/commit/${encodeURIComponent(commit)}`)).hash
  const comments = (number: number) => pages(CommentItem, `/pullrequests/${number}/comments`)
  const addComment = (number: number, body: string, place: object = {}) =>
    send('POST', `/pullrequests/${number}/comments`, { content: { raw: body }, ...place })

  return {
    kind: 'bitbucket',
    hasAnnotations: true,
    withSignal: (signal) => createBitbucketForge({ ...target, signal }),
    async fetchPull(number) {
      const { state, source, destination } = await get(PullRequest, `/pullrequests/${number}`)
      const headSha = source.commit?.hash.slice(0, SHORT_SHA) ?? ''
      if (source.repository) homes.set(headSha, source.repository.full_name)
      return {
        isOpen: state === 'OPEN' && headSha !== '',
        headSha,
        baseSha: destination.commit?.hash ?? '',
        defaultBranch: await mainBranch(),
      }
    },
    async listChangedFiles(number, most) {
      const changed = await diff(`/pullrequests/${number}/diff`).catch((error: unknown) => {
        if (isRefusal(error, 413)) return diffStat(number)
        throw error
      })
      return { files: changed.slice(0, most), isWhole: changed.length < Math.min(most, PER_PAGE * PAGES_MAX) }
    },
    // Bitbucket names the newer commit first.
    compareCommits: (base, head) => diff(`/diff/${encodeURIComponent(head)}..${encodeURIComponent(base)}`),
    async fetchFile(path, ref, bytesMax) {
      if (!isPlainPath(path)) return null
      const commit = ref ?? (await mainBranch())
      const address = `${homeOf(commit)}/src/${encodeURIComponent(commit)}/${encodePath(path)}`
      const bytes = await nullIfMissing(requestBytes(client, { path: address, bytesMax }))
      return bytes?.toString('utf8') ?? null
    },
    async listRootFiles(ref) {
      const entries = await pages(FolderEntry, `/src/${encodeURIComponent(ref ?? (await mainBranch()))}/`)
      return new Set(entries.filter(({ type }) => type === 'commit_file').map(({ path }) => path))
    },
    async fetchArchive(commit, bytesMax) {
      const path = `${target.webUrl}/${encodePath(target.repository)}/get/${await fullSha(commit)}.tar.gz`
      return requestBytes(client, { path, bytesMax })
    },
    async listCommentBodies(number, where) {
      const found = await comments(number)
      return found.filter(({ inline }) => Boolean(inline) === (where === 'lines')).map(textOf)
    },
    async publishInline(number, review) {
      const accepted = new Set<InlineComment>()
      for (const comment of review.comments) {
        const { path, line, body } = comment
        try {
          await addComment(number, body, { inline: { path, to: line } })
          accepted.add(comment)
        } catch (error) {
          if (!isRefusal(error, 400, 422)) throw error
        }
      }
      if (accepted.size > 0) await publishSummary(this, number, review)
      return accepted
    },
    async publishComment(number, body) {
      await addComment(number, body)
    },
    async publishCheck(check, _knownId, saveId) {
      const commit = `/commit/${await fullSha(check.headSha)}`
      await send('POST', `${commit}/statuses/build`, statusOf(check))
      await saveId(NO_NUMBER)
      const report = `${commit}/reports/${CHECK_KEY}`
      // The annotations of an earlier attempt would stay.
      await nullIfMissing(requestBytes(client, { method: 'DELETE', path: `${root}${report}` }))
      await send('PUT', report, reportOf(check))
      const annotations = check.annotations.slice(0, ANNOTATIONS_MAX).map(toAnnotation)
      for (let from = 0; from < annotations.length; from += PER_PAGE)
        await send('POST', `${report}/annotations`, annotations.slice(from, from + PER_PAGE))
      return NO_NUMBER
    },
    async readThread(number, thread) {
      const all = await comments(number)
      const ids = new Set([rootOf(all, Number(thread))])
      // Parents come first.
      for (const { id, parent } of all) if (parent && ids.has(parent.id)) ids.add(id)
      return all.filter(({ id }) => ids.has(id)).map(textOf)
    },
    async replyInThread(number, thread, body) {
      await addComment(number, body, { parent: { id: Number(thread) } })
    },
    async accessOf({ id }) {
      const [workspace = '', name = ''] = target.repository.split('/')
      const query = encodeURIComponent(`user.uuid="${id.replaceAll(/["\\]/g, '')}"`)
      const path = `/workspaces/${encodeURIComponent(workspace)}/permissions/repositories/${encodeURIComponent(name)}?q=${query}`
      const Permission = page(z.object({ permission: z.string() }))
      const found = await nullIfMissing(requestJson(client, Permission, { path }))
      return accessFrom(found?.values[0]?.permission)
    },
  }
}

/** Build statuses have keys, not numbers. */
const NO_NUMBER = 0
const ANNOTATIONS_MAX = 1_000

/** Replies can be nested. */
function rootOf(all: readonly CommentItem[], id: number): number {
  const parents = new Map(all.map((each) => [each.id, each.parent?.id]))
  let root = id
  for (let parent = parents.get(root), steps = 0; parent && steps < all.length; steps++) {
    root = parent
    parent = parents.get(root)
  }
  return root
}

const textOf = ({ content }: CommentItem): string => content?.raw ?? ''

const accessFrom = (permission: string | undefined): Access =>
  (['admin', 'write', 'read'] as const).find((each) => each === permission) ?? 'none'

/** Once per head, also when an earlier attempt ended midway. */
async function publishSummary(forge: Forge, number: number, { headSha, body }: InlineReview): Promise<void> {
  const mark = `[//]: # (cowrie:summary=${headSha})`
  const bodies = await forge.listCommentBodies(number, 'conversation')
  if (!bodies.some((text) => text.includes(mark))) await forge.publishComment(number, `${body}\n\n${mark}`)
}
