// SQL for GitHub App installations.

import type { ForgeKind } from '../../forge/forge.ts'
import type { GrantedPermissions } from '../../github/github.ts'
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'
import { json, type Tx } from '../../platform/db/tx.ts'

export type InstallationId = Id<'inst'>
export type BlockingPolicy = 'off' | 'errors' | 'strict'

export type Installation = {
  id: InstallationId
  orgId: OrgId
  externalId: bigint
  accountLogin: string
  accountType: string
  status: 'active' | 'suspended' | 'removed'
  permissions: GrantedPermissions
  events: string[]
  repositorySelection: 'all' | 'selected'
  blockingPolicy: BlockingPolicy
  inlineComments: boolean
  validationEnabled: boolean
  /** Whether the bot answers comments. */
  threadReplies: boolean
  forge: ForgeKind
  /** The id of the repository of a connection at its host; null for GitHub, like the next two. */
  hostId: string | null
  repo: string | null
  tokenSealed: string | null
  createdAt: Date
  updatedAt: Date
  removedAt: Date | null
}

export function listOrgInstallations(tx: Tx, org: OrgId): Promise<Installation[]> {
  return tx.rows<Installation>`
    select id, org_id as "orgId", external_id as "externalId", account_login as "accountLogin", account_type as "accountType",
           status, permissions, events, repository_selection as "repositorySelection", blocking_policy as "blockingPolicy",
           inline_comments as "inlineComments", validation_enabled as "validationEnabled",
           thread_replies as "threadReplies", forge, host_id as "hostId", repo, token_sealed as "tokenSealed",
           created_at as "createdAt", updated_at as "updatedAt", removed_at as "removedAt"
    from vcs_installations where org_id = ${org} order by created_at, id limit 1000`
}

export function findInstallation(tx: Tx, org: OrgId, id: string): Promise<Installation | undefined> {
  return tx.maybe<Installation>`
    select id, org_id as "orgId", external_id as "externalId", account_login as "accountLogin", account_type as "accountType",
           status, permissions, events, repository_selection as "repositorySelection", blocking_policy as "blockingPolicy",
           inline_comments as "inlineComments", validation_enabled as "validationEnabled",
           thread_replies as "threadReplies", forge, host_id as "hostId", repo, token_sealed as "tokenSealed",
           created_at as "createdAt", updated_at as "updatedAt", removed_at as "removedAt"
    from vcs_installations where org_id = ${org} and id = ${id}`
}

/** The organisation that claimed an installation. Needs the platform scope. */
export function findClaim(
  tx: Tx,
  externalId: number,
): Promise<Pick<Installation, 'id' | 'orgId' | 'status'> | undefined> {
  return tx.maybe<Pick<Installation, 'id' | 'orgId' | 'status'>>`
    select id, org_id as "orgId", status from vcs_installations
    where external_id = ${externalId} and status <> 'removed'`
}

export type NewInstallation = {
  readonly id: InstallationId
  readonly orgId: OrgId
  readonly userId: UserId
  readonly externalId: number
  readonly account: { readonly id: number; readonly login: string; readonly type: string }
  readonly permissions: GrantedPermissions
  readonly events: readonly string[]
  readonly repositorySelection: 'all' | 'selected'
  readonly changedAt: Date | null
}

/** False when the installation is already claimed. */
export async function insertInstallation(tx: Tx, claim: NewInstallation): Promise<boolean> {
  const rows = await tx.rows`
    insert into vcs_installations (id, org_id, external_id, account_id, account_login, account_type, status, permissions, events,
                                   repository_selection, claimed_by, changed_at, created_at, updated_at)
    values (${claim.id}, ${claim.orgId}, ${claim.externalId}, ${claim.account.id}, ${claim.account.login},
            ${claim.account.type}, 'active', ${json(claim.permissions)}, ${[...claim.events]}::text[],
            ${claim.repositorySelection}, ${claim.userId}, ${claim.changedAt}, ${tx.now}, ${tx.now})
    on conflict (external_id) where status <> 'removed' do nothing returning id`
  return rows.length === 1
}

/** An account has one installation of the app, so earlier ones no longer exist. */
export async function removeEarlierInstallations(
  tx: Tx,
  accountId: number,
  externalId: number,
): Promise<void> {
  await tx.rows`
    update vcs_installations set status = 'removed', removed_at = ${tx.now}, updated_at = ${tx.now}
    where account_id = ${accountId} and external_id <> ${externalId} and status <> 'removed'`
}

/** Stores the time of the last change on GitHub. False when it is not newer than the stored one. */
export async function advanceChangedAt(tx: Tx, externalId: number, changedAt: Date): Promise<boolean> {
  const rows = await tx.rows`
    update vcs_installations set changed_at = ${changedAt}
    where external_id = ${externalId} and status <> 'removed' and (changed_at is null or changed_at < ${changedAt})
    returning id`
  return rows.length === 1
}

export async function setInstallationStatus(
  tx: Tx,
  externalId: number,
  status: Installation['status'],
): Promise<void> {
  const removedAt = status === 'removed' ? tx.now : null
  await tx.rows`
    update vcs_installations set status = ${status}, removed_at = ${removedAt}, updated_at = ${tx.now}
    where external_id = ${externalId} and status <> 'removed'`
}

export type Grant = Pick<NewInstallation, 'permissions' | 'events' | 'repositorySelection'>

export async function setGrant(tx: Tx, externalId: number, granted: Grant): Promise<void> {
  await tx.rows`
    update vcs_installations
    set permissions = ${json(granted.permissions)}, events = ${[...granted.events]}::text[],
        repository_selection = ${granted.repositorySelection}, updated_at = ${tx.now}
    where external_id = ${externalId} and status <> 'removed'`
}

export type InstallationSettings = Pick<
  Installation,
  'blockingPolicy' | 'inlineComments' | 'validationEnabled' | 'threadReplies'
>

export async function setInstallationSettings(
  tx: Tx,
  org: OrgId,
  id: string,
  to: InstallationSettings,
): Promise<void> {
  await tx.rows`
    update vcs_installations
    set blocking_policy = ${to.blockingPolicy}, inline_comments = ${to.inlineComments},
        validation_enabled = ${to.validationEnabled}, thread_replies = ${to.threadReplies}, updated_at = ${tx.now}
    where org_id = ${org} and id = ${id}`
}

export async function deleteOrgInstallations(tx: Tx, org: OrgId): Promise<void> {
  await tx.rows`delete from vcs_installations where org_id = ${org}`
}

export function listRemovedBefore(
  tx: Tx,
  instant: Date,
  most: number,
): Promise<Pick<Installation, 'id' | 'orgId'>[]> {
  return tx.rows<Pick<Installation, 'id' | 'orgId'>>`
    select id, org_id as "orgId" from vcs_installations
    where status = 'removed' and removed_at < ${instant} order by removed_at limit ${most}`
}

export async function deleteInstallation(tx: Tx, id: InstallationId): Promise<void> {
  await tx.rows`delete from vcs_installations where id = ${id} and status = 'removed'`
}
