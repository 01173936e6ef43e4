// The deliveries that wait for an endpoint: sent one by one while it fails, released when it recovers, failed when removed.
import { after } from '../../kernel/clock.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type EndpointId, findEndpointState, waitForUpdate } from '../endpoints/endpoints-sql.ts'
import { enqueueDelivery, enqueueEndpointCheck } from '../hooks.ts'
import { type CallLimits, deliver, FAILURE_REASONS } from './deliver.ts'
import * as sql from './deliveries-sql.ts'

const RELEASE_BATCH = 40
const RELEASE_SECONDS = 5
const FAIL_BATCH = 5_000

/** Sends, releases or fails the waiting deliveries of an endpoint, depending on its state. */
export async function processEndpoint(
  app: App,
  org: OrgId,
  endpoint: EndpointId,
  limits: CallLimits = {},
): Promise<void> {
  // A transaction that updates the endpoint relies on this queued job instead of adding one, so wait until it commits.
  // A separate transaction, because deliveries are locked before endpoints.
  await app.db.tx(org, (tx) => waitForUpdate(tx, org, endpoint))
  const next = await app.db.tx(org, (tx) => chooseNext(tx, org, endpoint))
  if (next) await deliver(app, org, next, limits)
}

/** Fails waiting deliveries in batches; the next batch follows immediately. A disabled endpoint still gets pings. */
export async function failWaiting(
  tx: Tx,
  org: OrgId,
  endpoint: EndpointId,
  cause: keyof typeof FAILURE_REASONS,
): Promise<void> {
  const failed = await sql.failPending(tx, org, endpoint, {
    reason: FAILURE_REASONS[cause],
    includePings: cause === 'removed',
    limit: FAIL_BATCH,
  })
  if (failed === FAIL_BATCH) await enqueueEndpointCheck(tx, org, endpoint, tx.now)
}

async function chooseNext(tx: Tx, org: OrgId, endpoint: EndpointId): Promise<sql.DeliveryId | undefined> {
  const state = await findEndpointState(tx, org, endpoint)
  if (!state?.enabled) await failWaiting(tx, org, endpoint, state ? 'disabled' : 'removed')
  else if (state.quietUntil === null) await releaseBacklog(tx, org, endpoint)
  else if (state.quietUntil > tx.now) await enqueueEndpointCheck(tx, org, endpoint, state.quietUntil)
  else return sql.nextDue(tx, org, endpoint)
  return undefined
}

/** In batches, so that a long backlog does not delay the jobs of other organisations. */
async function releaseBacklog(tx: Tx, org: OrgId, endpoint: EndpointId): Promise<void> {
  const due = await sql.listDue(tx, org, endpoint, RELEASE_BATCH)
  for (const id of due) await enqueueDelivery(tx, org, id, tx.now)
  if (due.length === RELEASE_BATCH)
    await enqueueEndpointCheck(tx, org, endpoint, after(tx.now, { seconds: RELEASE_SECONDS }), 'rest')
}
