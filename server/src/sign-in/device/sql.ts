// SQL of device logins.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { Scope } from '../../platform/http/actor.ts'

export type DeviceStatus = 'pending' | 'approved' | 'denied' | 'done'

export type DeviceLogin = {
  id: Id<'dev'>
  userCode: string
  clientName: string | null
  scopes: Scope[]
  status: DeviceStatus
  address: string
  userAgent: string
  /** The user who decided and their active organisation; null while pending. */
  userId: UserId | null
  orgId: OrgId | null
  intervalSeconds: number
  polledAt: Date | null
  createdAt: Date
  expiresAt: Date
}

export type NewDeviceLogin = Pick<
  DeviceLogin,
  'id' | 'userCode' | 'clientName' | 'address' | 'userAgent' | 'intervalSeconds' | 'expiresAt'
> & { deviceHash: Uint8Array; network: string; scopes: readonly Scope[] }

/** The number of open requests of a network, and when the first of them expires. */
export function countLive(tx: Tx, network: string) {
  return tx.one<{ count: number; firstEnds: Date | null }>`
    select count(*)::integer as count, min(expires_at) as "firstEnds" from device_logins
    where network = ${network} and expires_at > ${tx.now} and status in ('pending', 'approved')`
}

/** False when another request has the code. */
export async function insert(tx: Tx, login: NewDeviceLogin): Promise<boolean> {
  const rows = await tx.rows`
    insert into device_logins (id, device_hash, user_code, client_name, scopes, status, address, network, user_agent,
                               interval_seconds, created_at, expires_at)
    values (${login.id}, ${login.deviceHash}, ${login.userCode}, ${login.clientName}, ${[...login.scopes]}::text[],
            'pending', ${login.address}, ${login.network}, ${login.userAgent}, ${login.intervalSeconds}, ${tx.now},
            ${login.expiresAt})
    on conflict (user_code) do nothing returning id`
  return rows.length === 1
}

/** Finds and locks an unexpired request by its device code. */
export function lockByDevice(tx: Tx, deviceHash: Uint8Array) {
  return tx.maybe<DeviceLogin>`
    select id, user_code as "userCode", client_name as "clientName", scopes, status, address, user_agent as "userAgent",
           user_id as "userId", org_id as "orgId", interval_seconds as "intervalSeconds", polled_at as "polledAt",
           created_at as "createdAt", expires_at as "expiresAt"
    from device_logins where device_hash = ${deviceHash} and expires_at > ${tx.now} for update`
}

/** Finds and locks an unexpired request by its user code. */
export function lockByUserCode(tx: Tx, userCode: string) {
  return tx.maybe<DeviceLogin>`
    select id, user_code as "userCode", client_name as "clientName", scopes, status, address, user_agent as "userAgent",
           user_id as "userId", org_id as "orgId", interval_seconds as "intervalSeconds", polled_at as "polledAt",
           created_at as "createdAt", expires_at as "expiresAt"
    from device_logins where user_code = ${userCode} and expires_at > ${tx.now} for update`
}

export async function recordPoll(tx: Tx, id: string, intervalSeconds: number): Promise<void> {
  await tx.rows`
    update device_logins set polled_at = ${tx.now}, interval_seconds = ${intervalSeconds} where id = ${id}`
}

export type DeviceDecision = {
  status: 'approved' | 'denied'
  userId: UserId
  orgId: OrgId
  scopes: readonly Scope[]
}

export async function decide(tx: Tx, id: string, decision: DeviceDecision): Promise<void> {
  await tx.rows`
    update device_logins set status = ${decision.status}, user_id = ${decision.userId}, org_id = ${decision.orgId},
                             scopes = ${[...decision.scopes]}::text[]
    where id = ${id}`
}

export async function denyApprovedBy(tx: Tx, user: UserId): Promise<void> {
  await tx.rows`update device_logins set status = 'denied' where user_id = ${user} and status = 'approved'`
}

export async function finish(tx: Tx, id: string, status: 'done' | 'denied'): Promise<void> {
  await tx.rows`update device_logins set status = ${status} where id = ${id}`
}

export async function sweep(db: Sql, expiredBefore: Date, most: number): Promise<number> {
  const deleted = await db.rows`
    delete from device_logins where id in
      (select id from device_logins where expires_at <= ${expiredBefore} limit ${most}) returning id`
  return deleted.length
}

export async function deleteDeviceLogins(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from device_logins where org_id = ${org}`
}
