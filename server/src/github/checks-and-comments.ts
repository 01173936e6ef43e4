// Publishes checks, reviews and comments. The app never approves, requests changes or merges.
import { z } from 'zod'
import type { CheckInput, InlineReview } from '../forge/forge.ts'
import { isRefusal } from './errors.ts'
import { parseReply } from './installation.ts'
import { getJson, type Repository, sendJson } from './repository.ts'

const CHECK_NAME = 'Cowrie review'
/** GitHub's limit per request. */
const ANNOTATIONS_AT_ONCE = 50
const CreatedCheck = z.object({ id: z.int() })

/**
 * Creates the check of a head, or updates the existing one, even if the reply to its creation was lost. Annotations are sent in
 * batches; those that GitHub already has are not sent again. `saveId` receives the id as soon as the check exists.
 */
export async function publishCheck(
  repository: Repository,
  check: CheckInput,
  knownId: number | null,
  saveId: (id: number) => Promise<void>,
): Promise<number> {
  const { headSha, conclusion, title, summary, annotations, detailsUrl } = check
  const outputFrom = (from: number) => ({
    output: { title, summary, annotations: annotations.slice(from, from + ANNOTATIONS_AT_ONCE) },
  })
  const existing = (await listOwnChecks(repository, headSha)).find(
    ({ id }) => knownId === null || id === knownId,
  )
  const checkId = knownId ?? existing?.id ?? null
  const sent = existing?.output?.annotations_count ?? 0
  const fields = {
    name: CHECK_NAME,
    status: 'completed',
    conclusion,
    details_url: detailsUrl,
    ...outputFrom(sent),
  }
  const saved =
    checkId === null
      ? await sendJson(repository, 'POST', '/check-runs', { ...fields, head_sha: headSha })
      : await sendJson(repository, 'PATCH', `/check-runs/${checkId}`, fields)
  const { id } = parseReply(CreatedCheck, saved, 'a check')
  if (id !== knownId) await saveId(id)
  for (let from = sent + ANNOTATIONS_AT_ONCE; from < annotations.length; from += ANNOTATIONS_AT_ONCE)
    await sendJson(repository, 'PATCH', `/check-runs/${id}`, outputFrom(from))
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

/** Our checks of a commit. Empty without permission to list them: the worst case is a second check. */
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

/** Posts a review as a comment, without approval: people decide about the merge. */
export async function publishReview(
  repository: Repository,
  number: number,
  review: InlineReview,
): Promise<void> {
  await sendJson(repository, 'POST', `/pulls/${number}/reviews`, {
    commit_id: review.headSha,
    event: 'COMMENT',
    body: review.body,
    comments: review.comments.map(({ path, line, startLine = line, body }) => ({
      path,
      line,
      side: 'RIGHT',
      ...(startLine < line && { start_line: startLine, start_side: 'RIGHT' }),
      body,
    })),
  })
}

export async function publishComment(repository: Repository, number: number, body: string): Promise<void> {
  await sendJson(repository, 'POST', `/issues/${number}/comments`, { body })
}

const Comments = z.array(z.object({ body: z.string().nullish() }))
const PER_PAGE = 100
const PAGES_MAX = 10

/** The texts of all inline comments (`pulls`) or conversation comments (`issues`) of a pull request. */
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
