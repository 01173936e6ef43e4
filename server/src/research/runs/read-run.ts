// Reads runs. Runs without a project are visible to the whole organisation, others to those who see the project.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { decodeTimeCursor, type TimeCursor, toPage } from '../../platform/http/page.ts'
import {
  attachmentUrl,
  listVisibleProjectIds,
  readProjectAccess,
  requireProjectEditor,
} from '../../projects/projects.ts'
import {
  findRun,
  listFollowUps,
  listRuns,
  type ReportFile,
  type ResearchRunSummary,
  type RunRecord,
} from '../runs-sql.ts'
import { listFindings, listPages, listSources, type ResearchSource } from '../sources-sql.ts'

// Lists in descending time start from this cursor.
const LATEST_CURSOR: TimeCursor = { at: new Date('9999-12-31T23:59:59.999Z'), id: '' }

type RunListQuery = { limit: number; cursor?: string | undefined; projectId?: string | undefined }

export function listResearch(app: App, actor: Actor, query: RunListQuery) {
  const before = query.cursor === undefined ? LATEST_CURSOR : decodeTimeCursor(query.cursor)
  const only = query.projectId ?? null
  return app.db.tx(actor.orgId, async (tx) => {
    if (only !== null && !(await readProjectAccess(tx, actor, [only])).has(only))
      throw new ApiError('not_found')
    const among = { projects: await listVisibleProjectIds(tx, actor), only, before, limit: query.limit + 1 }
    const rows = await listRuns(tx, actor.orgId, among)
    const { items, nextCursor } = toPage(rows, query.limit, ({ createdAt, id }) => [createdAt, id])
    return { runs: items, nextCursor }
  })
}

export function readResearch(app: App, actor: Actor, id: string) {
  return app.db.tx(actor.orgId, async (tx) => readDetail(tx, await requireVisibleRun(tx, actor, id)))
}

/** The stored text of a source, verbatim, to verify quotes. */
export function readSource(app: App, actor: Actor, { id, n }: { id: string; n: number }) {
  return app.db.tx(actor.orgId, async (tx) => {
    const run = await requireVisibleRun(tx, actor, id)
    const source = (await listSources(tx, run)).filter(isProcessed).find((each) => each.n === n)
    const [page] = await listPages(tx, run, [n])
    if (!source || !page) throw new ApiError('not_found')
    return { ...toApiSource(source), text: page.text }
  })
}

export async function requireVisibleRun(tx: Tx, actor: Actor, id: string): Promise<RunRecord> {
  const run = await findRun(tx, actor.orgId, id)
  if (!run) throw new ApiError('not_found')
  const { projectId } = run
  if (projectId !== null && !(await readProjectAccess(tx, actor, [projectId])).has(projectId))
    throw new ApiError('not_found')
  return run
}

/** A run that the caller may cancel or delete. In a project, only its editors may. */
export async function requireEditableRun(tx: Tx, actor: Actor, id: string): Promise<RunRecord> {
  const run = await requireVisibleRun(tx, actor, id)
  if (run.projectId !== null) await requireProjectEditor(tx, actor, run.projectId)
  return run
}

export const toSummary = (run: ResearchRunSummary): ResearchRunSummary => ({
  id: run.id,
  status: run.status,
  stopReason: run.stopReason,
  phase: run.phase,
  question: run.question,
  depth: run.depth,
  laneMode: run.laneMode,
  budgetMinor: run.budgetMinor,
  spentMinor: run.spentMinor,
  refundedMinor: run.refundedMinor,
  userId: run.userId,
  projectId: run.projectId,
  conversationId: run.conversationId,
  followUpOf: run.followUpOf,
  needs: run.needs,
  errorCode: run.errorCode,
  createdAt: run.createdAt,
  finishedAt: run.finishedAt,
})

export async function readDetail(tx: Tx, run: RunRecord) {
  const { plan, report, asideMinor, turns } = run
  const findings = await listFindings(tx, run)
  return {
    ...toSummary(run),
    clarification: run.clarification && { ...run.clarification, questions: [...run.clarification.questions] },
    followUps: await listFollowUps(tx, run),
    searchWeb: run.options.searchWeb,
    repositories: [...run.options.repositories],
    asideMinor,
    turns,
    plan: { subquestions: (plan?.subquestions ?? []).map(({ question }) => question) },
    sources: (await listSources(tx, run)).filter(isProcessed).map(toApiSource),
    findings: findings.map(({ sub, sources, ...rest }) => ({
      ...rest,
      sources: [...sources],
      subquestion: sub,
    })),
    report: report && { files: report.files.map(toApiFile) },
  }
}

export const toApiFile = (file: ReportFile) => ({ ...file, url: attachmentUrl(file.id) })

type ProcessedSource = ResearchSource & { status: 'read' | 'failed' | 'skipped' }

const isProcessed = (source: ResearchSource): source is ProcessedSource => source.status !== 'queued'

/** Omits fields that only the search step uses. */
function toApiSource({ canonical, snippet, subs, fingerprint, ...shown }: ProcessedSource) {
  return shown
}
