// Groups as SCIM shows them, with their versions.
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { OrgToken } from '../../platform/http/actor.ts'
import { GROUP_SCHEMA, metaOf, scimUrl } from '../protocol/messages.ts'
import { type ChangeRequest, requireVersion, versionOf } from '../protocol/version.ts'
import * as sql from './groups-sql.ts'

export async function requireGroupVersion(
  app: App,
  tx: Tx,
  { orgId }: OrgToken,
  group: sql.Group,
  request: ChangeRequest,
): Promise<void> {
  if (request.ifMatch !== undefined)
    requireVersion(request, await toResource(app, tx, orgId, group, 'members'))
}

export async function toResource(
  app: App,
  tx: Tx,
  org: OrgToken['orgId'],
  group: sql.Group,
  excludedAttributes?: string | undefined,
) {
  const [resource] = await toResources(app, tx, org, [group], excludedAttributes)
  return present(resource, 'a group has a resource')
}

/** A version depends on the members, also where they are excluded. */
export async function toResources(
  app: App,
  tx: Tx,
  org: OrgToken['orgId'],
  groups: readonly sql.Group[],
  excludedAttributes: string | undefined,
) {
  const ids = groups.map(({ id }) => id)
  const digests = await sql.memberDigests(tx, org, ids)
  const members = withMembers(excludedAttributes) ? await sql.membersOf(tx, org, ids) : null
  const byGroup = members && Map.groupBy(members, ({ groupId }) => groupId)
  return groups.map((group) => {
    const { id, displayName, externalId } = group
    const version = versionOf({ displayName, externalId, members: digests.get(id) ?? null })
    return {
      schemas: [GROUP_SCHEMA],
      id,
      displayName,
      ...(externalId !== null && { externalId }),
      ...(byGroup && {
        members: (byGroup.get(id) ?? []).map(({ userId, email }) => ({
          value: userId,
          display: email,
          type: 'User',
          $ref: `${scimUrl(app)}/Users/${userId}`,
        })),
      }),
      meta: metaOf(app, 'Group', group, version),
    }
  })
}

const withMembers = (excluded = ''): boolean =>
  !excluded
    .toLowerCase()
    .split(/[\s,]+/)
    .includes('members')
