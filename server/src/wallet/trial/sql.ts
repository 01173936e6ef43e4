// SQL of trial credit. Counts need the tenant scope `platform`.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { visitWallets } from '../../platform/db/citus/visit-shards.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'

export type TrialId = Id<'trl'>
export type NewTrial = {
  id: TrialId
  userId: UserId
  orgId: OrgId
  mailboxHash: Uint8Array
  network: string
  domain: string | null
  amountMinor: bigint
  expiresAt: Date
}

// Any number; the same for all replicas.
const LOCK = 7_470_001

/** Grants queue on this lock, so that concurrent ones cannot exceed a limit together. */
export async function lockGrants(tx: Tx): Promise<void> {
  await tx.rows`select pg_advisory_xact_lock(${LOCK})`
}

export function countGrants(tx: Tx, { network, domain }: Pick<NewTrial, 'network' | 'domain'>, since: Date) {
  return tx.one<{ total: bigint; ofNetwork: bigint; ofDomain: bigint }>`
    select (select count(*) from trial_credits where granted_at > ${since}) as total,
           (select count(*) from trial_credits where domain = ${domain} and granted_at > ${since}) as "ofDomain",
           (select count(*) from trial_credits where network = ${network} and granted_at > ${since}) as "ofNetwork"`
}

/** False when the person, the organisation or the mailbox has had one. */
export async function insertTrial(tx: Tx, trial: NewTrial): Promise<boolean> {
  const rows = await tx.rows`
    insert into trial_credits (id, user_id, org_id, mailbox_hash, network, domain, amount_minor, granted_at, expires_at)
    values (${trial.id}, ${trial.userId}, ${trial.orgId}, ${trial.mailboxHash}, ${trial.network}, ${trial.domain},
            ${trial.amountMinor}, ${tx.now}, ${trial.expiresAt})
    on conflict do nothing returning id`
  return rows.length === 1
}

export type DueTrial = { id: TrialId; orgId: OrgId }

/** Organisations with trial credit that has expired, the oldest first, up to `most` of each shard. */
export async function orgsWithDueTrials(app: App, most: number): Promise<OrgId[]> {
  const due = await visitWallets(app, (read) =>
    read(
      (sql) => sql.rows<{ orgId: OrgId }>`
        select t.org_id as "orgId" from (select org_id from wallets where trial_minor > 0) w
        join (select org_id, expires_at from trial_credits where expires_at <= ${app.clock.now()}) t on t.org_id = w.org_id
        order by t.expires_at limit ${most}`,
    ),
  )
  return due.flat().map(({ orgId }) => orgId)
}

export function trialsOf(tx: Tx, orgs: readonly OrgId[]): Promise<DueTrial[]> {
  return tx.rows<DueTrial>`
    select id, org_id as "orgId" from trial_credits where org_id = any (${orgs}::text[]) order by expires_at`
}

/** Call it under the lock of the wallet. */
export function readDueTrial(tx: Tx, id: TrialId) {
  return tx.maybe<{ leftMinor: bigint; expiredMinor: bigint }>`
    select w.trial_minor as "leftMinor", t.expired_minor as "expiredMinor"
    from (select org_id, expired_minor from trial_credits where id = ${id} and expires_at <= ${tx.now}) t
    join (select org_id, trial_minor from wallets where trial_minor > 0) w on w.org_id = t.org_id`
}

export async function addExpired(tx: Tx, id: TrialId, minor: bigint): Promise<void> {
  await tx.rows`update trial_credits set expired_minor = expired_minor + ${minor} where id = ${id}`
}

export type ExportedTrial = { id: string }

export function trialsAfter(tx: Tx, org: OrgId, after: string, limit: number): Promise<ExportedTrial[]> {
  return tx.rows<ExportedTrial>`
    select id, user_id as "userId", amount_minor as "amountMinor", expired_minor as "expiredMinor",
           granted_at as "grantedAt", expires_at as "expiresAt"
    from trial_credits where org_id = ${org} and id > ${after} order by id limit ${limit}`
}

export type TrialState = {
  trialMinor: bigint
  trialExpiresAt: Date | null
  /** Own money without holds: it also pays for plans. */
  ownFreeMinor: bigint
}

export function readTrial(sql: Sql, org: OrgId): Promise<TrialState> {
  return sql.one<TrialState>`
    select trial_minor as "trialMinor", expires_at as "trialExpiresAt", own_free_minor as "ownFreeMinor"
    from wallet_trial(${org})`
}
