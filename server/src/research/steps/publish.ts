// The report leaves the run: composed from what holds, kept as files, and the run is over.

import { postToThread } from '../../chat/chat.ts'
import { present } from '../../kernel/assert.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { announceFiles, insertAttachments, type NewAttachment } from '../../projects/projects.ts'
import { dateOf } from '../date.ts'
import type { RunEvent } from '../events.ts'
import { endIn } from '../finish.ts'
import { listed } from '../listed.ts'
import { type RepairOutcome, type ReportOutcome, stepName } from '../next.ts'
import { composeReport, type ReportText } from '../report/compose.ts'
import { verifyReport, withRepairs } from '../report/verify.ts'
import { findingsOf, sourcesOf } from '../sources-sql.ts'
import type { Run } from '../sql.ts'
import { doneSteps } from '../steps-sql.ts'
import { Superseded, type Working, whileWanted } from '../working.ts'

// What a conversation takes of it; the files have all of it.
const POSTED_CHARACTERS_MAX = 60_000

export async function publish(working: Working): Promise<void> {
  const { app, run } = working
  const { files, stopReason } = await compose(working)
  // Whatever happens before they are attached, somebody knows of the bytes.
  const keys = files.map(({ name }) => keyOf(run, name))
  await app.db.tx(run.orgId, (tx) => announceFiles(tx, run.orgId, keys))
  const kept = await Promise.all(files.map((file) => keepBytes(working, file)))
  await whileWanted(working, async (tx) => {
    const attachments = await insertAttachments(tx, kept)
    const report = {
      files: attachments.map(({ id, name, contentType, bytes }) => ({ id, name, contentType, bytes })),
    }
    const posted = await post(tx, run, present(files[0], 'a report has a first file').text)
    const events: RunEvent[] = [{ kind: 'report', files: report.files }, ...posted]
    const ending = { status: 'completed', stopReason, errorCode: null, report } as const
    if (!(await endIn(app, tx, run, ending, events))) throw new Superseded()
  })
}

async function compose({ app, run }: Working) {
  const { findings, sources, done } = await app.db.tx(run.orgId, async (tx) => ({
    findings: await findingsOf(tx, run),
    sources: await sourcesOf(tx, run),
    done: new Map((await doneSteps(tx, run)).map(({ step, outcome }) => [step, outcome])),
  }))
  // Steps keep what their types say; the database only knows that it is JSON.
  const { markdown, stopReason } = done.get(stepName.report) as ReportOutcome
  const repairs = (done.get(stepName.repair) as RepairOutcome | undefined)?.repairs ?? []
  const plan = run.plan ?? { subquestions: [] }
  const verified =
    markdown === null
      ? null
      : withRepairs(verifyReport(markdown, findings, plan), new Map(repairs), findings, plan)
  const files = composeReport({
    question: run.question,
    askedOn: dateOf(run.createdAt),
    depth: run.depth,
    plan,
    verified,
    findings,
    sources: listed(sources),
    stopReason,
  })
  return { files, stopReason }
}

/** Under the name of the run: whoever does it again overwrites the same bytes. */
const keyOf = ({ orgId, id }: Run, name: string): string => `research/${orgId}/${id}/${name}`

async function keepBytes({ app, run }: Working, file: ReportText): Promise<NewAttachment> {
  const storageKey = keyOf(run, file.name)
  const { name, contentType } = file
  const { bytes, sha256 } = await app.storage.put(storageKey, Buffer.from(file.text), { contentType })
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

async function post(tx: Tx, run: Run, text: string): Promise<RunEvent[]> {
  if (run.conversationId === null) return []
  const isLong = text.length > POSTED_CHARACTERS_MAX
  const content = isLong
    ? `${text.slice(0, POSTED_CHARACTERS_MAX)}\n\n… The rest is in the report’s files.`
    : text
  const isPosted = await postToThread(tx, run, run.conversationId, { question: run.question, content })
  if (isPosted) return []
  const message = 'The report could not be posted to the conversation, which is gone, full or busy.'
  return [{ kind: 'warning', code: 'not_posted', message }]
}
