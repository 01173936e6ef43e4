// Messages of SCIM (RFC 7644): lists, problems and addresses of resources.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

type ProblemType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'

/** A 400 with the type of RFC 7644, section 3.12. */
export const problem = (scimType: ProblemType, error: string): ApiError =>
  new ApiError('bad_request', { error, scimType })

export const scimUrl = ({ config }: App): string => `${config.baseUrl}/scim/v2`

export const PAGE_MAX = 200

export type Page = { startIndex: number; count: number }

/** RFC 7644, section 3.4.2.4: values out of range are corrected and are no error. */
export const pageOf = ({
  startIndex = '1',
  count = '100',
}: {
  startIndex?: string | undefined
  count?: string | undefined
}): Page => ({
  startIndex: Math.max(1, Number(startIndex)),
  count: Math.min(PAGE_MAX, Math.max(0, Number(count))),
})

export const listOf = <T>(items: T[], totalResults: number, startIndex = 1) => ({
  schemas: [LIST_SCHEMA],
  totalResults,
  startIndex,
  itemsPerPage: items.length,
  Resources: items,
})

export const metaOf = (
  app: App,
  resourceType: 'User' | 'Group',
  { id, createdAt, updatedAt }: { id: string; createdAt: Date; updatedAt: Date },
  version: string,
) => ({
  resourceType,
  created: createdAt,
  lastModified: updatedAt,
  location: `${scimUrl(app)}/${resourceType}s/${id}`,
  version,
})
