// Advances runs step by step for tests, without models or web access.
import { createHash } from 'node:crypto'
import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import type { Tx } from '@cowrie/server/src/platform/db/tx.ts'
import { CANCELLED, finishRun } from '@cowrie/server/src/research/engine/finish-run.ts'
import { appendEvents } from '@cowrie/server/src/research/run-events.ts'
import {
  findRun,
  markStarted,
  type RunRecord,
  type StoredReport,
  savePlan,
} from '@cowrie/server/src/research/runs-sql.ts'
import {
  insertSources,
  saveFindings,
  saveReadSource,
  saveUnreadSource,
} from '@cowrie/server/src/research/sources-sql.ts'
import type { ResearchRunId } from '@cowrie/server/src/research/types.ts'
import type { Person, TestServer } from '../harness/harness.ts'

export const PAGE = 'Jollof is cooked with long-grain rice, tomatoes and patience.'
export const FILE = {
  id: 'att_01kab0000000000000000000aa',
  name: 'report.md',
  contentType: 'text/markdown',
  bytes: 12,
}

type RunOwner = { readonly orgId: OrgId }

/** Starts a run through the API. The test server has no workers, so the run stays queued. */
export async function start(server: TestServer, as: Person, body: object = {}): Promise<ResearchRunId> {
  const asked = { question: 'How is jollof cooked?', depth: 'quick', ...body }
  const reply = await server.call<{ id: ResearchRunId }>('POST', '/research', { as, body: asked })
  if (reply.status !== 202) throw new Error(`not started: ${reply.status} ${reply.text}`)
  return reply.body.id
}

export function withRun<T>(
  { app }: TestServer,
  { orgId }: RunOwner,
  id: ResearchRunId,
  work: (tx: Tx, run: RunRecord) => Promise<T>,
): Promise<T> {
  return app.db.tx(orgId, async (tx) => {
    const run = await findRun(tx, orgId, id)
    if (!run) throw new Error(`there is no run ${id}`)
    return work(tx, run)
  })
}

/** As a worker does when it takes the job. */
export const begin = (server: TestServer, known: RunOwner, id: ResearchRunId) =>
  withRun(server, known, id, (tx, run) => markStarted(tx, run, new Date(tx.now.getTime() + 60_000)))

/** Adds a plan, sources of each status, and a finding. */
export const addFindings = (server: TestServer, known: RunOwner, id: ResearchRunId) =>
  withRun(server, known, id, async (tx, run) => {
    await savePlan(tx, run, { subquestions: [{ question: 'What is in it?', queries: ['jollof recipe'] }] })
    const sources = [1, 2, 3, 4].map((n) => ({
      ...{ n, pass: 1, url: `https://example.com/${n}`, canonical: `example.com/${n}`, title: `Page ${n}` },
      ...{ snippet: 'a snippet', subs: [0], status: 'queued' as const, reason: null },
    }))
    await insertSources(tx, run, sources)
    await saveReadSource(tx, run, {
      ...{
        n: 1,
        title: 'Page 1',
        finalUrl: 'https://example.com/1',
        contentType: 'text/html',
        language: 'en',
      },
      ...{ publishedOn: null, fingerprint: '0', characters: PAGE.length, isCut: false, text: PAGE },
      sha256: createHash('sha256').update(PAGE).digest('hex'),
    })
    await saveUnreadSource(tx, run, 2, { status: 'failed', reason: 'http_403' })
    await saveUnreadSource(tx, run, 3, { status: 'skipped', reason: 'low_relevance' })
    const found = { claim: 'It takes patience.', quote: 'tomatoes and patience', sources: [1] }
    await saveFindings(tx, run, [{ id: 'F1', sub: 0, kind: 'fact', ...found }])
    await appendEvents(tx, id, [
      { kind: 'phase', phase: 'plan' },
      { kind: 'plan', subquestions: ['What is in it?'], by: 'model' },
      { kind: 'finding', id: 'F1', ...found },
    ])
  })

export const complete = (
  server: TestServer,
  known: RunOwner,
  id: ResearchRunId,
  report: StoredReport = { files: [FILE] },
) =>
  withRun(server, known, id, (tx, run) =>
    finishRun(
      server.app,
      tx,
      run,
      { status: 'completed', stopReason: 'completed', errorCode: null, report },
      [{ kind: 'report', files: report.files }],
    ),
  )

/** As a worker does when it notices the cancellation. */
export const finishCancelled = (server: TestServer, known: RunOwner, id: ResearchRunId) =>
  withRun(server, known, id, (tx, run) => finishRun(server.app, tx, run, CANCELLED))
