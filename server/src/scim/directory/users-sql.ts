// SQL of the users that a directory service sees.
import type { OrgId, UserId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Page } from '../protocol/messages.ts'

export type UserAttributes = {
  userName: string
  externalId: string | null
  displayName: string | null
  givenName: string | null
  familyName: string | null
  formattedName: string | null
}

export type DirectoryUser = UserAttributes & {
  userId: UserId
  /** Whether the user is a member of the organisation. */
  active: boolean
  /** The address of the account. */
  email: string
  createdAt: Date
  updatedAt: Date
}

export type UserFilter = { [name in 'id' | 'userName' | 'externalId' | 'emails.value']?: string }

export function findUser(tx: Tx, org: OrgId, id: string) {
  return tx.maybe<DirectoryUser>`
    select user_id as "userId", active, email, user_name as "userName", external_id as "externalId",
           display_name as "displayName", given_name as "givenName", family_name as "familyName",
           formatted_name as "formattedName", created_at as "createdAt", updated_at as "updatedAt"
    from directory_users where org_id = ${org} and user_id = ${id}`
}

export function listUsers(tx: Tx, org: OrgId, filter: UserFilter, { startIndex, count }: Page) {
  const { id = null, userName = null, externalId = null, 'emails.value': email = null } = filter
  return tx.rows<DirectoryUser>`
    select user_id as "userId", active, email, user_name as "userName", external_id as "externalId",
           display_name as "displayName", given_name as "givenName", family_name as "familyName",
           formatted_name as "formattedName", created_at as "createdAt", updated_at as "updatedAt"
    from directory_users
    where org_id = ${org} and (${id}::text is null or user_id = ${id})
      and (${userName}::text is null or lower(user_name) = lower(${userName}))
      and (${externalId}::text is null or external_id = ${externalId})
      and (${email}::text is null or email = lower(${email}))
    order by created_at, user_id limit ${count} offset ${startIndex - 1}`
}

export async function countUsers(tx: Tx, org: OrgId, filter: UserFilter): Promise<number> {
  const { id = null, userName = null, externalId = null, 'emails.value': email = null } = filter
  const { n } = await tx.one<{ n: number }>`
    select count(*)::int as n from directory_users
    where org_id = ${org} and (${id}::text is null or user_id = ${id})
      and (${userName}::text is null or lower(user_name) = lower(${userName}))
      and (${externalId}::text is null or external_id = ${externalId})
      and (${email}::text is null or email = lower(${email}))`
  return n
}

/** Whether another user of the organisation has this name. */
export async function isNameTaken(
  tx: Tx,
  org: OrgId,
  userName: string,
  except: UserId | null,
): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from directory_users
    where org_id = ${org} and lower(user_name) = lower(${userName}) and user_id is distinct from ${except}::text limit 1`
  return row !== undefined
}

/** As `isNameTaken`, without members whose name is their address. */
export async function isNameStored(tx: Tx, org: OrgId, userName: string, except: UserId): Promise<boolean> {
  const row = await tx.maybe`
    select 1 as found from scim_users
    where org_id = ${org} and lower(user_name) = lower(${userName}) and user_id <> ${except} limit 1`
  return row !== undefined
}

export async function saveUser(
  tx: Tx,
  org: OrgId,
  user: UserAttributes & Pick<DirectoryUser, 'userId' | 'email'>,
): Promise<void> {
  await tx.rows`
    insert into scim_users (org_id, user_id, email, user_name, external_id, display_name, given_name, family_name,
                            formatted_name, created_at, updated_at)
    values (${org}, ${user.userId}, ${user.email}, ${user.userName}, ${user.externalId}, ${user.displayName},
            ${user.givenName}, ${user.familyName}, ${user.formattedName}, ${tx.now}, ${tx.now})
    on conflict (org_id, user_id) do update set
      email = excluded.email, user_name = excluded.user_name, external_id = excluded.external_id,
      display_name = excluded.display_name, given_name = excluded.given_name, family_name = excluded.family_name,
      formatted_name = excluded.formatted_name, updated_at = excluded.updated_at`
}

/** Forgets the user and their groups. The account is not touched. */
export async function forgetUser(tx: Tx, org: OrgId, user: UserId): Promise<void> {
  await tx.rows`delete from scim_group_members where org_id = ${org} and user_id = ${user}`
  await tx.rows`delete from scim_users where org_id = ${org} and user_id = ${user}`
}
