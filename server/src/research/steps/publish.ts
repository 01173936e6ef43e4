// Publishes the report: composes and stores its files, then finishes the run.

import { postToThread } from '../../chat/chat.ts'
import { present } from '../../kernel/assert.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { say } from '../../platform/texts/texts.ts'
import { task } from '../../platform/workers/workers.ts'
import { insertAttachments, type NewAttachment, scheduleOrphanCleanup } from '../../projects/projects.ts'
import { finishRun } from '../engine/finish-run.ts'
import { type RepairOutcome, type ReportOutcome, stepName } from '../engine/next-step.ts'
import {
  type RunContext,
  SupersededError,
  toIsoDate,
  withFenceUnlessCancelled,
} from '../engine/run-context.ts'
import type { ExportsInput, ReportExport } from '../report/export/exports-task.ts'
import { reportLanguage } from '../report/report-document.ts'
import { composeReport, type ReportFileText } from '../report/report-files.ts'
import type { ReportFilesInput } from '../report/report-files-task.ts'
import type { RunEvent } from '../run-events.ts'
import { listFinishedSteps, type RunRecord } from '../runs-sql.ts'
import { listFindings, listSources, toReportSources } from '../sources-sql.ts'
import { runOptionalTask } from './run-optional-task.ts'

// The limit of a chat message. The files have the whole report.
const POSTED_CHARACTERS_MAX = 60_000

const composeTask = task<ReportFilesInput, ReportFileText[]>(
  new URL('../report/report-files-task.ts', import.meta.url),
)
const exportsTask = task<ExportsInput, ReportExport[]>(
  new URL('../report/export/exports-task.ts', import.meta.url),
)
// Many times the time for the longest draft.
const COMPOSE_MS = 20_000
const EXPORTS_MS = 30_000

export async function publishReport(context: RunContext): Promise<void> {
  const { app, run } = context
  const { files: texts, exports, stopReason } = await composeFiles(context)
  const files = [...texts.map(({ text, ...file }) => ({ ...file, bytes: Buffer.from(text) })), ...exports]
  // Schedules the cleanup first, so a crash before the attachment leaves no orphaned content.
  const keys = files.map(({ name }) => toStorageKey(context, name))
  await app.db.tx(run.orgId, (tx) => scheduleOrphanCleanup(tx, run.orgId, keys))
  const kept = await Promise.all(files.map((file) => storeFile(context, file)))
  await withFenceUnlessCancelled(context, async (tx) => {
    const attachments = await insertAttachments(tx, kept)
    const report = {
      files: attachments.map(({ id, name, contentType, bytes }) => ({ id, name, contentType, bytes })),
    }
    const posted = await postReport(tx, run, present(texts[0], 'a report has a first file').text)
    const events: RunEvent[] = [{ kind: 'report', files: report.files }, ...posted]
    if (exports.length === 0) events.unshift(NO_EXPORTS)
    const errorCode = stopReason === 'error' ? 'not_served' : null
    const ending = { status: 'completed', stopReason, errorCode, report } as const
    if (!(await finishRun(app, tx, run, ending, events))) throw new SupersededError()
  })
}

async function composeFiles(context: RunContext) {
  const { app, run } = context
  const { findings, sources, done } = await app.db.tx(run.orgId, async (tx) => ({
    findings: await listFindings(tx, run),
    sources: await listSources(tx, run),
    done: new Map((await listFinishedSteps(tx, run)).map(({ step, outcome }) => [step, outcome])),
  }))
  // Step outcomes are stored as JSON with these types.
  const { markdown, stopReason } = done.get(stepName.report) as ReportOutcome
  const repairs = (done.get(stepName.repair) as RepairOutcome | undefined)?.repairs ?? []
  const plan = run.plan ?? { subquestions: [] }
  const report = {
    question: run.question,
    askedOn: toIsoDate(run.createdAt),
    depth: run.depth,
    searchWeb: run.options.searchWeb,
    plan,
    findings,
    sources: toReportSources(sources),
    stopReason,
  }
  const made =
    markdown === null
      ? 'failed'
      : await runOptionalTask(context, composeTask, { report, markdown, repairs }, COMPOSE_MS)
  // Without a draft, or if verification fails, the report lists the findings.
  const files = made === 'failed' ? composeReport({ ...report, verified: null }) : made.value
  const draft = made === 'failed' ? null : markdown
  const drawn = await runOptionalTask(context, exportsTask, { report, markdown: draft, repairs }, EXPORTS_MS)
  return { files, exports: drawn === 'failed' ? [] : drawn.value, stopReason }
}

/** Keys are unique per attempt: the content of an abandoned attempt is deleted, without affecting attached files. */
const toStorageKey = ({ run, work }: RunContext, name: string): string =>
  `research/${run.orgId}/${run.id}/${work.fence}/${name}`

async function storeFile(context: RunContext, file: ReportExport): Promise<NewAttachment> {
  const { app, run } = context
  const storageKey = toStorageKey(context, file.name)
  const { name, contentType } = file
  const { bytes, sha256 } = await app.storage
    .put(storageKey, file.bytes, { contentType })
    .catch((cause: unknown) => {
      throw Object.assign(new ApiError('storage_unavailable'), { cause })
    })
  const { orgId, projectId, userId: createdBy, id: origin } = run
  return {
    id: newId('att'),
    orgId,
    projectId,
    origin,
    name,
    contentType,
    bytes,
    sha256,
    storageKey,
    createdBy,
  }
}

const NO_EXPORTS: RunEvent = {
  kind: 'warning',
  code: 'no_exports',
  message: 'The report could not be drawn as PDF and office document in time. The other files are complete.',
}

async function postReport(tx: Tx, run: RunRecord, text: string): Promise<RunEvent[]> {
  if (run.conversationId === null) return []
  const language = reportLanguage(run.question, run.plan ?? { subquestions: [] })
  const isLong = text.length > POSTED_CHARACTERS_MAX
  const content = isLong
    ? `${text.slice(0, POSTED_CHARACTERS_MAX)}\n\n… ${say(language, 'The rest is in the report files.')}`
    : text
  const isPosted = await postToThread(tx, run, run.conversationId, { question: run.question, content })
  if (isPosted) return []
  const message = 'The report was not posted: the conversation is deleted, full or busy.'
  return [{ kind: 'warning', code: 'not_posted', message }]
}
