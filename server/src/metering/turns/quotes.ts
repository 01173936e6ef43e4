// Quotes: for an hour the same work costs at most the quoted amount, even if prices change.
import { createHash } from 'node:crypto'
import { before } from '../../kernel/clock.ts'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import { canonicalJson } from '../../kernel/json.ts'
import type { App } from '../../platform/app.ts'
import { batchLoaderPerDb } from '../../platform/db/batch-loader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { job, type Schedule } from '../../platform/jobs/jobs.ts'
import * as sql from './quotes-sql.ts'

/** Caller and input of a quote. The same input means the same work. */
export type QuotedWork = {
  readonly orgId: OrgId
  readonly userId: UserId
  readonly kind: 'run' | 'loop' | 'message'
  readonly work: object
}

const KEPT = { hours: 1 }
const BATCH_SIZE = 1_000

export function storeQuote(tx: Tx, quoted: QuotedWork, maxMinor: bigint): Promise<void> {
  return sql.putQuote(tx, { ...quoted, fingerprint: fingerprintOf(quoted) }, maxMinor)
}

/** The quote for this work within the last hour; undefined without one. */
export function quotedMax(app: App, quoted: QuotedWork): Promise<bigint | undefined> {
  return quoteLoader(app.db)({ ...quoted, fingerprint: fingerprintOf(quoted) })
}

/** Every run asks, and few have a quote: one statement answers the runs that start at the same time. */
const quoteLoader = batchLoaderPerDb<sql.QuotePlace, bigint>((db, places) =>
  db.tx('platform', (tx) => sql.findQuotes(tx, places, before(tx.now, KEPT))),
)

export const deleteOldQuotes = job('metering.forgetQuotes', {
  attempts: 1,
  async run(app) {
    const old = before(app.clock.now(), KEPT)
    // The next run deletes the rest.
    for (let round = 0; round < 20; round++)
      if ((await app.db.tx('platform', (tx) => sql.deleteQuotes(tx, old, BATCH_SIZE))) < BATCH_SIZE) return
  },
})

export const deleteOldQuotesSchedule: Schedule = {
  name: 'metering.forgetQuotes',
  job: 'metering.forgetQuotes',
  everySeconds: 600,
}

const fingerprintOf = ({ kind, work }: QuotedWork): string =>
  createHash('sha256').update(canonicalJson({ kind, work })).digest('base64url')
