// SQL for endpoints.
import type { Id, OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { PageOfTexts, SealedText } from '../../platform/sealed-data.ts'

export type EndpointId = Id<'hep'>

/** The endpoint fields that the API shows. */
export type Endpoint = {
  id: EndpointId
  url: string
  events: string[] | null
  description: string | null
  enabled: boolean
  disabledReason: 'gone' | 'failing' | null
  failingSince: Date | null
  previousUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Enabled endpoints that subscribe to a type. Every fact runs this statement. */
export async function listSubscribers(tx: Tx, org: OrgId, type: string): Promise<EndpointId[]> {
  const rows = await tx.rows<{ id: EndpointId }>`
    select id from hook_endpoints
    where org_id = ${org} and enabled and (events is null or ${type} = any(events))
    order by created_at, id`
  return rows.map(({ id }) => id)
}

export function listEndpoints(tx: Tx, org: OrgId): Promise<Endpoint[]> {
  return tx.rows<Endpoint>`
    select id, url, events, description, enabled, disabled_reason as "disabledReason", failing_since as "failingSince",
           case when previous_until > ${tx.now} then previous_until end as "previousUntil",
           created_at as "createdAt", updated_at as "updatedAt"
    from hook_endpoints where org_id = ${org} order by created_at, id`
}

export function findEndpoint(tx: Tx, org: OrgId, id: string): Promise<Endpoint | undefined> {
  return tx.maybe<Endpoint>`
    select id, url, events, description, enabled, disabled_reason as "disabledReason", failing_since as "failingSince",
           case when previous_until > ${tx.now} then previous_until end as "previousUntil",
           created_at as "createdAt", updated_at as "updatedAt"
    from hook_endpoints where org_id = ${org} and id = ${id}`
}

export async function lockEndpoint(tx: Tx, org: OrgId, id: string): Promise<Endpoint | undefined> {
  const locked = await tx.maybe`select id from hook_endpoints where org_id = ${org} and id = ${id} for update`
  return locked && findEndpoint(tx, org, id)
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'url' | 'events' | 'description' | 'enabled'> & {
  readonly orgId: OrgId
  readonly sealed: string
}

export async function insertEndpoint(tx: Tx, row: NewEndpoint): Promise<void> {
  await tx.rows`
    insert into hook_endpoints (id, org_id, url, events, description, enabled, secret_sealed, created_at, updated_at)
    values (${row.id}, ${row.orgId}, ${row.url}, ${row.events}::text[], ${row.description}, ${row.enabled}, ${row.sealed},
            ${tx.now}, ${tx.now})`
}

export type EndpointUpdate = Pick<Endpoint, 'url' | 'events' | 'description' | 'enabled'> & {
  /** True for a new URL or a newly enabled endpoint: resets the failure counts. */
  readonly resetsHealth: boolean
}

export async function updateEndpoint(tx: Tx, org: OrgId, id: EndpointId, to: EndpointUpdate): Promise<void> {
  await tx.rows`
    update hook_endpoints
    set url = ${to.url}, events = ${to.events}::text[], description = ${to.description}, enabled = ${to.enabled},
        disabled_reason = case when ${to.enabled} then null else disabled_reason end,
        failures = case when ${to.resetsHealth} then 0 else failures end,
        failing_since = case when ${to.resetsHealth} then null else failing_since end,
        strikes = case when ${to.resetsHealth} then 0 else strikes end,
        quiet_until = case when ${to.resetsHealth} then null else quiet_until end,
        updated_at = ${tx.now}
    where id = ${id} and org_id = ${org}`
}

export async function deleteEndpoint(tx: Tx, org: OrgId, id: string): Promise<{ url: string } | undefined> {
  return tx.maybe<{ url: string }>`
    delete from hook_endpoints where org_id = ${org} and id = ${id} returning url`
}

/** Deletes the endpoints, events and deliveries of a closed organisation. */
export async function deleteOrgEndpoints(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from hook_events where org_id = ${org}`
  await tx.rows`delete from hook_endpoints where org_id = ${org}`
}

/** The current secret becomes the previous one. An earlier previous secret is discarded. */
export async function rotateSecret(
  tx: Tx,
  org: OrgId,
  id: string,
  sealed: string,
  previousUntil: Date,
): Promise<{ url: string } | undefined> {
  return tx.maybe<{ url: string }>`
    update hook_endpoints
    set previous_sealed = secret_sealed, previous_until = ${previousUntil}, secret_sealed = ${sealed}, updated_at = ${tx.now}
    where org_id = ${org} and id = ${id} returning url`
}

/** Decides whether an endpoint may be called. */
export type EndpointState = { enabled: boolean; quietUntil: Date | null }

export function findEndpointState(tx: Tx, org: OrgId, id: EndpointId): Promise<EndpointState | undefined> {
  return tx.maybe<EndpointState>`
    select enabled, quiet_until as "quietUntil" from hook_endpoints where id = ${id} and org_id = ${org}`
}

/** Waits for a concurrent transaction that updates the endpoint. */
export async function waitForUpdate(tx: Tx, org: OrgId, id: EndpointId): Promise<void> {
  await tx.rows`select id from hook_endpoints where id = ${id} and org_id = ${org} for share`
}

/** Claims an endpoint whose quiet period is over, until an instant. False when another worker has claimed it. */
export async function claimTurn(tx: Tx, org: OrgId, id: EndpointId, until: Date): Promise<boolean> {
  const rows = await tx.rows`
    update hook_endpoints set quiet_until = ${until}
    where id = ${id} and org_id = ${org} and quiet_until <= ${tx.now} returning id`
  return rows.length === 1
}

export type EndpointHealth = {
  failures: number
  failingSince: Date | null
  strikes: number
  quietUntil: Date | null
}

/** Locks the health of an endpoint; undefined if its URL has changed since the call. */
export function lockHealth(
  tx: Tx,
  org: OrgId,
  id: EndpointId,
  url: string,
): Promise<(EndpointHealth & { enabled: boolean }) | undefined> {
  return tx.maybe<EndpointHealth & { enabled: boolean }>`
    select failures, failing_since as "failingSince", strikes, quiet_until as "quietUntil", enabled
    from hook_endpoints where id = ${id} and org_id = ${org} and url = ${url} for update`
}

export async function saveHealth(tx: Tx, id: EndpointId, to: EndpointHealth): Promise<void> {
  await tx.rows`
    update hook_endpoints
    set failures = ${to.failures}, failing_since = ${to.failingSince}, strikes = ${to.strikes}, quiet_until = ${to.quietUntil}
    where id = ${id}`
}

export async function disableEndpoint(tx: Tx, id: EndpointId, reason: 'gone' | 'failing'): Promise<void> {
  await tx.rows`
    update hook_endpoints set enabled = false, disabled_reason = ${reason}, updated_at = ${tx.now} where id = ${id}`
}

/** Signing secrets that another service secret has sealed. Needs the platform scope. */
export const listSecretTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, secret_sealed as sealed from hook_endpoints
    where id > ${after} and not starts_with(secret_sealed, ${keyId}) order by id limit ${limit}`

export const replaceSecretTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update hook_endpoints set secret_sealed = ${sealed} where id = ${was.id} and secret_sealed = ${was.sealed}`

/** Signing secrets from before their rotation that another service secret has sealed. Needs the platform scope. */
export const listPreviousTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, previous_sealed as sealed from hook_endpoints
    where id > ${after} and not starts_with(previous_sealed, ${keyId}) order by id limit ${limit}`

export const replacePreviousTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update hook_endpoints set previous_sealed = ${sealed} where id = ${was.id} and previous_sealed = ${was.sealed}`
