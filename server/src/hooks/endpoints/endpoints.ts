// Adds, changes and removes webhook endpoints. A secret is shown only once.
import { record } from '../../audit/audit.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { egressRules, findHostProblem } from '../../platform/egress/egress.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { failWaiting } from '../deliveries/endpoint-queue.ts'
import { enqueueEndpointCheck } from '../hooks.ts'
import { countChange } from '../limits.ts'
import type { EndpointEdit, NewEndpointBody } from '../schema.ts'
import * as sql from './endpoints-sql.ts'
import { newSecret, secretContext } from './signature.ts'

const ENDPOINTS_MAX = 10
const PREVIOUS_SECRET_HOURS = 24

export const listEndpoints = async (app: App, { orgId }: Actor) => ({
  endpoints: await app.db.tx(orgId, (tx) => sql.listEndpoints(tx, orgId)),
})

export const showEndpoint = async (app: App, { orgId }: Actor, id: string) => ({
  endpoint: await app.db.tx(orgId, (tx) => requireEndpoint(tx, orgId, id)),
})

export async function createEndpoint(app: App, actor: Actor, body: NewEndpointBody, ip: string) {
  const { orgId } = actor
  const { url, events = null, description = null } = body
  await refuseBadUrl(app, url)
  const id = newId('hep')
  const secret = newSecret()
  const sealed = app.secrets.seal(secret, secretContext(id))
  return app.db.tx(orgId, async (tx) => {
    // A concurrent call waits here, so that it counts this endpoint.
    await tx.lock(`hook endpoints ${orgId}`)
    if ((await sql.listEndpoints(tx, orgId)).length >= ENDPOINTS_MAX)
      throw new ApiError('limit_reached', {
        error: `This organisation has ${ENDPOINTS_MAX} webhook endpoints, the maximum. Remove one first.`,
      })
    await countChange(app, tx, orgId)
    await sql.insertEndpoint(tx, { id, orgId, url, events, description, enabled: true, sealed })
    const endpoint = await requireEndpoint(tx, orgId, id)
    await recordChange(tx, actor, ip, 'create', endpoint, { events })
    return { endpoint, secret }
  })
}

/** A new URL, or enabling the endpoint, resets its failure counts. */
export async function changeEndpoint(app: App, actor: Actor, id: string, edit: EndpointEdit, ip: string) {
  const { orgId } = actor
  if (edit.url !== undefined) await refuseBadUrl(app, edit.url)
  return app.db.tx(orgId, async (tx) => {
    const old = await sql.lockEndpoint(tx, orgId, id)
    if (!old) throw new ApiError('not_found')
    const to = {
      url: edit.url ?? old.url,
      events: edit.events === undefined ? old.events : edit.events,
      description: edit.description === undefined ? old.description : edit.description,
      enabled: edit.enabled ?? old.enabled,
    }
    const changed = changedFields(old, to)
    if (changed.length === 0) return { endpoint: old }
    await countChange(app, tx, orgId)
    const resetsHealth = to.url !== old.url || (to.enabled && !old.enabled)
    await sql.updateEndpoint(tx, orgId, old.id, { ...to, resetsHealth })
    // Pending deliveries go to the new URL, or fail if the endpoint is disabled.
    if (resetsHealth || !to.enabled) await enqueueEndpointCheck(tx, orgId, old.id, tx.now)
    const endpoint = await requireEndpoint(tx, orgId, id)
    await recordChange(tx, actor, ip, 'change', endpoint, { changed, enabled: to.enabled })
    return { endpoint }
  })
}

/** Fails the pending deliveries. Past deliveries are deleted with their events. */
export async function removeEndpoint(app: App, actor: Actor, id: string, ip: string) {
  const { orgId } = actor
  await app.db.tx(orgId, async (tx) => {
    const { id: endpointId } = await requireEndpoint(tx, orgId, id)
    await countChange(app, tx, orgId)
    await failWaiting(tx, orgId, endpointId, 'removed')
    // A concurrent call may have removed it.
    const removed = await sql.deleteEndpoint(tx, orgId, id)
    if (!removed) throw new ApiError('not_found')
    await recordChange(tx, actor, ip, 'remove', { id, ...removed })
  })
  return { ok: true as const }
}

/** Both secrets sign for a day, so that receivers can switch without losing events. */
export async function rotateSecret(app: App, actor: Actor, id: string, ip: string) {
  const { orgId } = actor
  const secret = newSecret()
  return app.db.tx(orgId, async (tx) => {
    const endpoint = await requireEndpoint(tx, orgId, id)
    await countChange(app, tx, orgId)
    const previousUntil = after(tx.now, { hours: PREVIOUS_SECRET_HOURS })
    const sealed = app.secrets.seal(secret, secretContext(endpoint.id))
    // A concurrent call may have removed it.
    if (!(await sql.rotateSecret(tx, orgId, id, sealed, previousUntil))) throw new ApiError('not_found')
    await recordChange(tx, actor, ip, 'rotateSecret', endpoint, { previousUntil })
    return { secret, previousUntil }
  })
}

/** 404 for endpoints of other organisations. */
export async function requireEndpoint(tx: Tx, orgId: Actor['orgId'], id: string): Promise<sql.Endpoint> {
  const endpoint = await sql.findEndpoint(tx, orgId, id)
  if (!endpoint) throw new ApiError('not_found')
  return endpoint
}

type EndpointFields = Pick<sql.Endpoint, 'url' | 'events' | 'description' | 'enabled'>

/** The names of the changed fields. The order of the events is ignored. */
function changedFields(old: EndpointFields, to: EndpointFields): string[] {
  const comparable = ({ url, events, description, enabled }: EndpointFields) => ({
    url,
    events: events?.toSorted().join(' '),
    description,
    enabled,
  })
  const before = comparable(old)
  return Object.entries(comparable(to)).flatMap(([field, value]) =>
    value === before[field as keyof EndpointFields] ? [] : [field],
  )
}

/** Resolves DNS, so call it outside a transaction. Every delivery checks the resolved address again. */
async function refuseBadUrl(app: App, url: string): Promise<void> {
  const problem = await findHostProblem(url, egressRules(app))
  if (problem) throw invalidFields({ path: 'url', message: problem })
}

// Records only the host of the URL, because the rest may contain a secret of the receiver.
const recordChange = (
  tx: Tx,
  actor: Actor,
  ip: string,
  verb: string,
  { id, url }: { id: string; url: string },
  more: object = {},
): Promise<void> =>
  record(tx, {
    orgId: actor.orgId,
    actor,
    ip,
    action: `hooks.endpoints.${verb}`,
    target: id,
    metadata: { host: new URL(url).host, ...more },
  })
