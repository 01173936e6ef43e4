// Everything an organisation owns as one JSON document, written page by page: what is in memory is one page, however much
// there is. Each page is as the database was when it was read; what is added meanwhile may or may not be in it.
import { record } from '../audit/audit.ts'
import { assert } from '../kernel/assert.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId } from '../kernel/ids.ts'
import { toJson } from '../kernel/json.ts'
import { findMembership } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { ExportReader } from '../platform/data-export.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type Answer, answer } from '../platform/http/answer.ts'
import type { RequestInfo } from '../platform/http/route.ts'
import { requireFreshSignIn } from './fresh-sign-in.ts'

const FORMAT = 1
const PAGE_ROWS = 200
// Twenty million rows of one kind: by then the time of the answer is over.
const PAGES_MAX = 100_000
const EXPORT_LIMIT: AttemptLimit = { name: 'org.exports', most: 10, withinSeconds: 3_600 }

/** Those that this process is writing: one at a time for each organisation. */
const running = new Set<OrgId>()

/** The document as a file, recorded before its first byte leaves. */
export async function exportOrg(app: App, actor: Actor, orgId: OrgId, request: RequestInfo): Promise<Answer> {
  requireFreshSignIn(app, actor)
  const release = claimExport(orgId)
  try {
    const at = await app.db.tx(orgId, async (tx) => {
      await countExport(app, tx, orgId)
      await record(tx, { orgId, actor, ip: request.address, action: 'org.export', target: orgId })
      return tx.now
    })
    // One who has gone before the first piece never begins to read.
    request.gone.addEventListener('abort', release)
    if (request.gone.aborted) release()
    const name = `cowrie-${orgId}-${at.toISOString().slice(0, 10)}.json`
    return answer(200, writeDocument(app, actor, orgId, at, release), {
      'content-disposition': `attachment; filename="${name}"`,
    })
  } catch (error) {
    release()
    throw error
  }
}

function claimExport(orgId: OrgId): () => void {
  if (running.has(orgId))
    throw new ApiError('too_many_attempts', {
      error: 'An export of this organisation is being written already; wait until it is done.',
      retryAfter: 30,
    })
  running.add(orgId)
  let isHeld = true
  return () => {
    // Once: by the second time it may be the place of another.
    if (isHeld) running.delete(orgId)
    isHeld = false
  }
}

async function countExport(app: App, tx: Tx, orgId: OrgId): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, tx, EXPORT_LIMIT, orgId)
  if (!allowed)
    throw new ApiError('too_many_attempts', {
      error: `An organisation can be exported ${EXPORT_LIMIT.most} times an hour; wait for the time in Retry-After.`,
      retryAfter,
    })
}

async function* writeDocument(app: App, actor: Actor, orgId: OrgId, at: Date, release: () => void) {
  // Whoever is no owner any more gets no further page, and so no whole document.
  const read = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    app.db.tx(orgId, async (tx) => {
      const membership = await findMembership(tx, orgId, actor.userId)
      assert(membership?.role === 'owner', 'the exporter owns the organisation')
      return work(tx)
    })
  try {
    yield `{"format":${FORMAT},"exportedAt":${toJson(at)},"orgId":${toJson(orgId)}`
    yield await read((tx) => writeFacts(app, tx, orgId))
    for (const [name, reader] of app.tenantData.flatMap(({ exports = {} }) => Object.entries(exports)))
      yield* writeList(name, (after) => read((tx) => reader(tx, orgId, after, PAGE_ROWS)))
    yield '}\n'
  } finally {
    release()
  }
}

async function writeFacts(app: App, tx: Tx, orgId: OrgId): Promise<string> {
  let text = ''
  for (const [name, fact] of app.tenantData.flatMap((owned) => Object.entries(owned.facts ?? {})))
    text += `,\n${toJson(name)}:${toJson(await fact(app, tx, orgId))}`
  return text
}

async function* writeList(name: string, pageAfter: (after: string | null) => ReturnType<ExportReader>) {
  yield `,\n${toJson(name)}:[`
  let after: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const { rows, next } = await pageAfter(after)
    if (rows.length > 0) yield `${page === 0 ? '' : ','}\n${rows.map(toJson).join(',\n')}`
    if (next === null) {
      yield ']'
      return
    }
    after = next
  }
  throw new Error(`${name} has more pages than an export`)
}
