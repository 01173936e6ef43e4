// What waits for an endpoint: sent one by one while it fails, let go when it works again, and ended when it is no more.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { queue, queueTurn } from '../emit.ts'
import { awaitChange, type EndpointId, standingOf } from '../endpoints/endpoints-sql.ts'
import { deliver, ENDED, type Patience } from './deliver.ts'
import * as sql from './deliveries-sql.ts'

const LET_GO_AT_ONCE = 40
const LET_GO_SECONDS = 5
const ENDED_AT_ONCE = 5_000

/** Does for an endpoint what it is time for. */
export async function giveTurn(
  app: App,
  org: OrgId,
  endpoint: EndpointId,
  patience: Patience = {},
): Promise<void> {
  // Who changes how it stands adds no job where this one waits, but relies on it: it must not look before that is written.
  // In a transaction of its own, because deliveries are locked before endpoints.
  await app.db.tx(org, (tx) => awaitChange(tx, org, endpoint))
  const next = await app.db.tx(org, (tx) => chooseNext(tx, org, endpoint))
  if (next) await deliver(app, org, next, patience)
}

/** Ends what waits for an endpoint. What is left at the bound follows at once. A ping may still go to one that is disabled. */
export async function endWaiting(
  tx: Tx,
  org: OrgId,
  endpoint: EndpointId,
  why: keyof typeof ENDED,
): Promise<void> {
  const ended = await sql.endPending(tx, org, endpoint, {
    why: ENDED[why],
    pingsToo: why === 'removed',
    limit: ENDED_AT_ONCE,
  })
  if (ended === ENDED_AT_ONCE) await queueTurn(tx, org, endpoint, tx.now)
}

async function chooseNext(tx: Tx, org: OrgId, endpoint: EndpointId): Promise<sql.DeliveryId | undefined> {
  const standing = await standingOf(tx, org, endpoint)
  if (!standing?.enabled) await endWaiting(tx, org, endpoint, standing ? 'disabled' : 'removed')
  else if (standing.quietUntil === null) await letGo(tx, org, endpoint)
  else if (standing.quietUntil > tx.now) await queueTurn(tx, org, endpoint, standing.quietUntil)
  else return sql.nextInTurn(tx, org, endpoint)
  return undefined
}

/** In batches, so that a long queue does not stand in front of everybody else's all at once. */
async function letGo(tx: Tx, org: OrgId, endpoint: EndpointId): Promise<void> {
  const due = await sql.dueFor(tx, org, endpoint, LET_GO_AT_ONCE)
  for (const id of due) await queue(tx, org, id, tx.now)
  if (due.length === LET_GO_AT_ONCE)
    await queueTurn(tx, org, endpoint, after(tx.now, { seconds: LET_GO_SECONDS }), 'rest')
}
