// Lists deliveries, and sends test pings and replays.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { decodeCursor, toPage } from '../../platform/http/page.ts'
import { requireEndpoint } from '../endpoints/endpoints.ts'
import { emitTo, redeliver } from '../hooks.ts'
import { countManualSend } from '../limits.ts'
import type { DeliveriesQuery } from '../schema.ts'
import * as sql from './deliveries-sql.ts'

export async function listDeliveries(
  app: App,
  { orgId }: Actor,
  id: string,
  { limit, cursor, status }: DeliveriesQuery,
) {
  const [before = null] = decodeCursor(cursor, 1) ?? []
  const rows = await app.db.tx(orgId, async (tx) => {
    const { id: endpointId } = await requireEndpoint(tx, orgId, id)
    return sql.listDeliveries(tx, orgId, { endpointId, status: status ?? null, before, limit: limit + 1 })
  })
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.id])
  return { deliveries: items, nextCursor }
}

/** Sends a ping. Works for disabled endpoints too, so that users can test them before enabling. */
export function testEndpoint(app: App, actor: Actor, id: string, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    const { id: endpointId } = await requireEndpoint(tx, orgId, id)
    await countManualSend(app, tx, orgId)
    const deliveryId = await emitTo(tx, { orgId, type: 'ping', data: { endpointId } }, endpointId)
    await record(tx, { orgId, actor, ip, action: 'hooks.endpoints.test', target: endpointId })
    return { delivery: await requireDelivery(tx, orgId, deliveryId) }
  })
}

/** Sends the same event with the same id, so that receivers can detect duplicates. */
export function replayDelivery(app: App, actor: Actor, id: string, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    const { eventId, endpointId, type } = await requireDelivery(tx, orgId, id)
    const { enabled } = await requireEndpoint(tx, orgId, endpointId)
    if (!enabled && type !== 'ping') throw new ApiError('endpoint_disabled')
    await countManualSend(app, tx, orgId)
    const deliveryId = await redeliver(tx, orgId, eventId, endpointId)
    const metadata = { eventId, type, deliveryId }
    await record(tx, { orgId, actor, ip, action: 'hooks.deliveries.replay', target: id, metadata })
    return { delivery: await requireDelivery(tx, orgId, deliveryId) }
  })
}

async function requireDelivery(tx: Tx, orgId: OrgId, id: string): Promise<sql.Delivery> {
  const delivery = await sql.findDelivery(tx, orgId, id)
  if (!delivery) throw new ApiError('not_found')
  return delivery
}
