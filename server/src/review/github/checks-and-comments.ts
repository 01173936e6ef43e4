// What we say in a repository: checks, reviews and comments. We never approve, request changes or merge.
import { z } from 'zod'
import { isRefusal } from './errors.ts'
import { parseReply } from './installation.ts'
import { getJson, type Repository } from './repository.ts'
import { parseJson, sendRequest } from './request.ts'

export type CheckAnnotation = {
  readonly path: string
  readonly start_line: number
  readonly end_line: number
  readonly annotation_level: 'failure' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}
export type CheckInput = {
  readonly headSha: string
  readonly conclusion: 'success' | 'neutral' | 'failure'
  readonly title: string
  readonly summary: string
  readonly annotations: readonly CheckAnnotation[]
}

const CHECK_NAME = 'Cowrie review'
/** As many as GitHub takes at once. */
const ANNOTATIONS_AT_ONCE = 50
const CreatedCheck = z.object({ id: z.int() })

/**
 * Makes the check of a head, or changes the one that was made before, whether or not we were told of it then. Further
 * annotations follow in turns: what GitHub has got of them is not sent again. `keep` is given its id as soon as there is one.
 */
export async function publishCheck(
  repository: Repository,
  check: CheckInput,
  known: number | null,
  keep: (id: number) => Promise<void>,
): Promise<number> {
  const { headSha, conclusion, title, summary, annotations } = check
  const part = (from: number) => ({
    output: { title, summary, annotations: annotations.slice(from, from + ANNOTATIONS_AT_ONCE) },
  })
  const standing = (await listOwnChecks(repository, headSha)).find(({ id }) => known === null || id === known)
  const before = known ?? standing?.id ?? null
  const sent = standing?.output?.annotations_count ?? 0
  const fields = { name: CHECK_NAME, status: 'completed', conclusion, ...part(sent) }
  const made =
    before === null
      ? await sendJson(repository, 'POST', '/check-runs', { ...fields, head_sha: headSha })
      : await sendJson(repository, 'PATCH', `/check-runs/${before}`, fields)
  const { id } = parseReply(CreatedCheck, made, 'a check')
  if (id !== known) await keep(id)
  for (let from = sent + ANNOTATIONS_AT_ONCE; from < annotations.length; from += ANNOTATIONS_AT_ONCE)
    await sendJson(repository, 'PATCH', `/check-runs/${id}`, part(from))
  return id
}

const Checks = z.object({
  check_runs: z
    .array(
      z.object({
        id: z.int(),
        name: z.string(),
        app: z.object({ id: z.int(), client_id: z.string().nullish() }).nullish(),
        output: z.object({ annotations_count: z.int().nonnegative().default(0) }).nullish(),
      }),
    )
    .default([]),
})

/** Our checks of a commit. Where they are not shown there are none: at worst there will be a second. */
async function listOwnChecks(repository: Repository, headSha: string) {
  const path = `/commits/${headSha}/check-runs?check_name=${encodeURIComponent(CHECK_NAME)}`
  try {
    const checks = Checks.safeParse(await getJson(repository, path)).data?.check_runs ?? []
    const ownId = repository.app.config.github?.appId
    const isOurs = (app: (typeof checks)[number]['app']) =>
      String(app?.id) === ownId || app?.client_id === ownId
    return checks.filter(({ name, app }) => name === CHECK_NAME && isOurs(app))
  } catch (error) {
    if (isRefusal(error, 403, 404, 422)) return []
    throw error
  }
}

export type InlineComment = { readonly path: string; readonly line: number; readonly body: string }

/** One review of a head, as a comment: whether to merge is for people to say. */
export async function publishReview(
  repository: Repository,
  number: number,
  review: { headSha: string; body: string; comments: readonly InlineComment[] },
): Promise<void> {
  await sendJson(repository, 'POST', `/pulls/${number}/reviews`, {
    commit_id: review.headSha,
    event: 'COMMENT',
    body: review.body,
    comments: review.comments.map((comment) => ({ ...comment, side: 'RIGHT' })),
  })
}

export async function publishComment(repository: Repository, number: number, body: string): Promise<void> {
  await sendJson(repository, 'POST', `/issues/${number}/comments`, { body })
}

const Comments = z.array(z.object({ body: z.string().nullish() }))
const PER_PAGE = 100
const PAGES_MAX = 10

/** The texts of comments on the lines of a pull request, or below it, ours and others'. */
export async function listCommentBodies(
  repository: Repository,
  number: number,
  where: 'pulls' | 'issues' = 'pulls',
): Promise<string[]> {
  const bodies: string[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const path = `/${where}/${number}/comments?per_page=${PER_PAGE}&page=${page}`
    const found = parseReply(Comments, await getJson(repository, path), 'comments')
    bodies.push(...found.map(({ body }) => body ?? ''))
    if (found.length < PER_PAGE) break
  }
  return bodies
}

async function sendJson(
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
