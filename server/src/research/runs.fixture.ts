// Runs for tests, brought forward by hand as the engine would: no model and no web has a part in them.
import { createHash } from 'node:crypto'
import type { Person, TestServer } from '../../test/harness.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { Tx } from '../platform/db/tx.ts'
import { tell } from './events.ts'
import { CANCELLED, endIn } from './finish.ts'
import { insertSources, keepFindings, keepRead, keepUnread } from './sources-sql.ts'
import { findRun, keepPlan, type Report, type Run, startRun } from './sql.ts'
import type { RunId } from './terms.ts'

export const PAGE = 'Jollof is cooked with long-grain rice, tomatoes and patience.'
export const FILE = {
  id: 'att_01kab0000000000000000000aa',
  name: 'report.md',
  contentType: 'text/markdown',
  bytes: 12,
}

type Known = { readonly orgId: OrgId }

/** Starts a run by its route. Nobody works on it: the server of the test has no workers. */
export async function start(server: TestServer, as: Person, body: object = {}): Promise<RunId> {
  const asked = { question: 'How is jollof cooked?', depth: 'quick', ...body }
  const reply = await server.call<{ id: RunId }>('POST', '/research', { as, body: asked })
  if (reply.status !== 202) throw new Error(`not started: ${reply.status} ${reply.text}`)
  return reply.body.id
}

export function withRun<T>(
  { app }: TestServer,
  { orgId }: Known,
  id: RunId,
  work: (tx: Tx, run: Run) => Promise<T>,
): Promise<T> {
  return app.db.tx(orgId, async (tx) => {
    const run = await findRun(tx, orgId, id)
    if (!run) throw new Error(`there is no run ${id}`)
    return work(tx, run)
  })
}

/** As soon as a worker has it. */
export const begin = (server: TestServer, known: Known, id: RunId) =>
  withRun(server, known, id, (tx, run) => startRun(tx, run, new Date(tx.now.getTime() + 60_000)))

/** A plan, one source of each kind, and a finding. */
export const findSome = (server: TestServer, known: Known, id: RunId) =>
  withRun(server, known, id, async (tx, run) => {
    await keepPlan(tx, run, { subquestions: [{ question: 'What is in it?', queries: ['jollof recipe'] }] })
    const sources = [1, 2, 3, 4].map((n) => ({
      ...{ n, pass: 1, url: `https://example.com/${n}`, canonical: `example.com/${n}`, title: `Page ${n}` },
      ...{ snippet: 'a snippet', subs: [0], status: 'queued' as const, reason: null },
    }))
    await insertSources(tx, run, sources)
    await keepRead(tx, run, {
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
    await keepUnread(tx, run, 2, { status: 'failed', reason: 'http_403' })
    await keepUnread(tx, run, 3, { status: 'skipped', reason: 'low_relevance' })
    const found = { claim: 'It takes patience.', quote: 'tomatoes and patience', sources: [1] }
    await keepFindings(tx, run, [{ id: 'F1', sub: 0, kind: 'fact', ...found }])
    await tell(tx, id, [
      { kind: 'phase', phase: 'plan' },
      { kind: 'plan', subquestions: ['What is in it?'], by: 'model' },
      { kind: 'finding', id: 'F1', ...found },
    ])
  })

export const complete = (server: TestServer, known: Known, id: RunId, report: Report = { files: [FILE] }) =>
  withRun(server, known, id, (tx, run) =>
    endIn(server.app, tx, run, { status: 'completed', stopReason: 'completed', errorCode: null, report }, [
      { kind: 'report', files: report.files },
    ]),
  )

/** The worker notices that it was cancelled. */
export const windDown = (server: TestServer, known: Known, id: RunId) =>
  withRun(server, known, id, (tx, run) => endIn(server.app, tx, run, CANCELLED))
