// What waits for an endpoint: sent one by one while it fails, let go when it works again, and ended when it is no more.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { enqueueDelivery, enqueueEndpointCheck } from '../emit.ts'
import { type EndpointId, findEndpointState, waitForUpdate } from '../endpoints/endpoints-sql.ts'
import { type CallLimits, deliver, FAILURE_REASONS } from './deliver.ts'
import * as sql from './deliveries-sql.ts'

const RELEASE_BATCH = 40
const RELEASE_SECONDS = 5
const FAIL_BATCH = 5_000

/** Does for an endpoint what it is time for. */
export async function processEndpoint(
  app: App,
  org: OrgId,
  endpoint: EndpointId,
  patience: CallLimits = {},
): Promise<void> {
  // Who changes how it stands adds no job where this one waits, but relies on it: it must not look before that is written.
  // In a transaction of its own, because deliveries are locked before endpoints.
  await app.db.tx(org, (tx) => waitForUpdate(tx, org, endpoint))
  const next = await app.db.tx(org, (tx) => chooseNext(tx, org, endpoint))
  if (next) await deliver(app, org, next, patience)
}

/** Ends what waits for an endpoint. What is left at the bound follows at once. A ping may still go to one that is disabled. */
export async function failWaiting(
  tx: Tx,
  org: OrgId,
  endpoint: EndpointId,
  why: keyof typeof FAILURE_REASONS,
): Promise<void> {
  const ended = await sql.failPending(tx, org, endpoint, {
    why: FAILURE_REASONS[why],
    pingsToo: why === 'removed',
    limit: FAIL_BATCH,
  })
  if (ended === FAIL_BATCH) await enqueueEndpointCheck(tx, org, endpoint, tx.now)
}

async function chooseNext(tx: Tx, org: OrgId, endpoint: EndpointId): Promise<sql.DeliveryId | undefined> {
  const standing = await findEndpointState(tx, org, endpoint)
  if (!standing?.enabled) await failWaiting(tx, org, endpoint, standing ? 'disabled' : 'removed')
  else if (standing.quietUntil === null) await releaseBacklog(tx, org, endpoint)
  else if (standing.quietUntil > tx.now) await enqueueEndpointCheck(tx, org, endpoint, standing.quietUntil)
  else return sql.nextDue(tx, org, endpoint)
  return undefined
}

/** In batches, so that a long queue does not stand in front of everybody else's all at once. */
async function releaseBacklog(tx: Tx, org: OrgId, endpoint: EndpointId): Promise<void> {
  const due = await sql.listDue(tx, org, endpoint, RELEASE_BATCH)
  for (const id of due) await enqueueDelivery(tx, org, id, tx.now)
  if (due.length === RELEASE_BATCH)
    await enqueueEndpointCheck(tx, org, endpoint, after(tx.now, { seconds: RELEASE_SECONDS }), 'rest')
}
