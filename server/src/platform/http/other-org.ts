// Whose things a caller reads: their own organisation's, or those of another that staff name in the query.
import { ApiError } from '../../kernel/errors.ts'
import { isId, type OrgId } from '../../kernel/ids.ts'
import type { Actor } from './actor.ts'
import { text } from './shapes.ts'

/** The query parameter. */
export const orgIdQuery = text(64).optional().meta({
  description: 'Your own organisation by default; another one is for platform staff only.',
})

/** Whoever is not staff hears the same of organisations that exist and of those that do not. */
export function requestedOrg(actor: Actor, orgId: string | undefined): OrgId {
  if (orgId === undefined || orgId === actor.orgId) return actor.orgId
  if (actor.staffRole === null) throw new ApiError('staff_only')
  if (!isId('org', orgId)) throw noSuchOrg()
  return orgId
}

export const noSuchOrg = (): ApiError =>
  new ApiError('not_found', { error: 'There is no organisation with this id.' })
