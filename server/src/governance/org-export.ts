// Streams all data of an organisation as one JSON document, page by page, so that memory holds one page. Each page is a
// consistent read; rows that are added during the export may be missing.
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
// 20 million rows per list: the request times out before.
const PAGES_MAX = 100_000
const EXPORT_LIMIT: AttemptLimit = { name: 'org.exports', most: 10, withinSeconds: 3_600 }

/** Exports of this process, one per organisation. */
const running = new Set<OrgId>()

/** The document as a file. The audit event is recorded before the first byte is sent. */
export async function exportOrg(app: App, actor: Actor, orgId: OrgId, request: RequestInfo): Promise<Answer> {
  requireFreshSignIn(app, actor)
  const release = claimExport(orgId)
  try {
    const at = await app.db.tx(orgId, async (tx) => {
      await countExport(app, tx, orgId)
      await record(tx, { orgId, actor, ip: request.address, action: 'org.export', target: orgId })
      return tx.now
    })
    // If the client disconnects before the first chunk, the generator never starts and cannot release.
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
      error: 'An export of this organisation is already running. Wait until it is done.',
      retryAfter: 30,
    })
  running.add(orgId)
  let isHeld = true
  return () => {
    // Only once: a later call could release the export of another request.
    if (isHeld) running.delete(orgId)
    isHeld = false
  }
}

async function countExport(app: App, tx: Tx, orgId: OrgId): Promise<void> {
  const { allowed, retryAfter } = await countAttempt(app, tx, EXPORT_LIMIT, orgId)
  if (!allowed)
    throw new ApiError('too_many_attempts', {
      error: `An organisation can be exported ${EXPORT_LIMIT.most} times per hour. Wait for the time in Retry-After.`,
      retryAfter,
    })
}

async function* writeDocument(app: App, actor: Actor, orgId: OrgId, at: Date, release: () => void) {
  // Checked for each page, so that a former owner gets no complete document.
  const read = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    app.db.tx(orgId, async (tx) => {
      const membership = await findMembership(tx, orgId, actor.userId)
      assert(membership?.role === 'owner', 'an export needs an owner of the organisation')
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
  for (const [name, fact] of app.tenantData.flatMap((data) => Object.entries(data.facts ?? {})))
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
  throw new Error(`${name} has more pages than an export allows`)
}
