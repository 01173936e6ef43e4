// SQL for connections, which are installations of other hosts than GitHub.
import type { ForgeKind } from '../../forge/forge.ts'
import type { OrgId, UserId } from '../../kernel/ids.ts'
import { json, type Tx } from '../../platform/db/tx.ts'
import type { PageOfTexts, SealedText } from '../../platform/sealed-data.ts'
import type { Installation, InstallationId } from './installations-sql.ts'

export async function findConnectionId(
  tx: Tx,
  org: OrgId,
  externalId: number,
): Promise<InstallationId | undefined> {
  const row = await tx.maybe<{ id: InstallationId }>`
    select id from vcs_installations
    where org_id = ${org} and external_id = ${externalId} and status <> 'removed' and forge <> 'github'`
  return row?.id
}

export type NewConnection = {
  readonly id: InstallationId
  readonly orgId: OrgId
  readonly userId: UserId
  readonly externalId: number
  readonly forge: ForgeKind
  readonly hostId: string
  readonly repo: string
  readonly tokenSealed: string
  readonly webhookSealed: string
}

/** The rights that a token should have. Its actual rights show with the first review. */
const PERMISSIONS = { metadata: 'read', contents: 'read', pull_requests: 'write', checks: 'write' }
const EVENTS = ['pull_request', 'issue_comment', 'pull_request_review_comment']
const LOGIN_MAX = 100

export async function insertConnection(tx: Tx, connection: NewConnection): Promise<void> {
  const { id, orgId, userId, externalId, forge, hostId, repo, tokenSealed, webhookSealed } = connection
  await tx.rows`
    insert into vcs_installations (id, org_id, external_id, account_id, account_login, account_type, status, permissions, events,
                                   repository_selection, claimed_by, created_at, updated_at, forge, host_id, repo, token_sealed,
                                   webhook_sealed)
    values (${id}, ${orgId}, ${externalId}, ${externalId}, ${repo.slice(0, LOGIN_MAX)}, 'Repository', 'active',
            ${json(PERMISSIONS)}, ${EVENTS}::text[], 'selected', ${userId}, ${tx.now}, ${tx.now}, ${forge}, ${hostId}, ${repo},
            ${tokenSealed}, ${webhookSealed})`
}

export async function renewConnection(
  tx: Tx,
  org: OrgId,
  id: InstallationId,
  to: Pick<NewConnection, 'tokenSealed' | 'webhookSealed' | 'repo'>,
): Promise<void> {
  await tx.rows`
    update vcs_installations
    set token_sealed = ${to.tokenSealed}, webhook_sealed = ${to.webhookSealed}, repo = ${to.repo}, status = 'active',
        updated_at = ${tx.now}
    where org_id = ${org} and id = ${id} and status <> 'removed'`
}

/** The token and the secret are erased at once. */
export async function removeConnection(tx: Tx, org: OrgId, id: InstallationId): Promise<void> {
  await tx.rows`
    update vcs_installations
    set status = 'removed', removed_at = ${tx.now}, updated_at = ${tx.now}, token_sealed = '', webhook_sealed = ''
    where org_id = ${org} and id = ${id} and status <> 'removed'`
}

export type Webhook = Pick<Installation, 'id' | 'orgId' | 'status'> & {
  hostId: string
  webhookSealed: string
}

/** Needs the platform scope. */
export function findWebhook(tx: Tx, forge: ForgeKind, id: string): Promise<Webhook | undefined> {
  return tx.maybe<Webhook>`
    select id, org_id as "orgId", status, host_id as "hostId", webhook_sealed as "webhookSealed" from vcs_installations
    where id = ${id} and forge = ${forge} and status <> 'removed'`
}

/** Tokens of repositories that another service secret has sealed. Needs the platform scope. */
export const listTokenTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, token_sealed as sealed from vcs_installations
    where id > ${after} and not starts_with(token_sealed, ${keyId}) and token_sealed <> '' order by id limit ${limit}`

export const replaceTokenTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update vcs_installations set token_sealed = ${sealed} where id = ${was.id} and token_sealed = ${was.sealed}`

/** Secrets of webhooks that another service secret has sealed. Needs the platform scope. */
export const listWebhookTexts = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, webhook_sealed as sealed from vcs_installations
    where id > ${after} and not starts_with(webhook_sealed, ${keyId}) and webhook_sealed <> '' order by id limit ${limit}`

export const replaceWebhookTexts = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update vcs_installations set webhook_sealed = ${sealed} where id = ${was.id} and webhook_sealed = ${was.sealed}`
