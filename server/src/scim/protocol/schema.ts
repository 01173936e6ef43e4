// Request and reply schemas of the SCIM routes. Unknown attributes are ignored.
import { z } from 'zod'
import { timestamp } from '../../platform/http/shapes.ts'

const OPERATIONS_MAX = 100
const schemas = z.array(z.string().max(200)).max(20)
const text = z.string().max(2_000).nullish()
const pageNumber = z.string().regex(/^-?\d{1,9}$/, { error: 'must be a whole number' })

export const ListQuery = z.object({
  filter: z.string().max(4_000).optional(),
  startIndex: pageNumber.optional(),
  count: pageNumber.optional(),
  excludedAttributes: z.string().max(1_000).optional(),
})
export const OneQuery = ListQuery.pick({ excludedAttributes: true })

export const UserBody = z.object({
  schemas: schemas.optional(),
  userName: z.string().min(1).max(254),
  externalId: text,
  displayName: text,
  name: z.object({ givenName: text, familyName: text, formatted: text }).nullish(),
  emails: z
    .array(z.object({ value: text, primary: z.unknown().optional() }))
    .max(20)
    .nullish(),
  active: z.union([z.boolean(), z.string().max(10)]).nullish(),
})
export type UserBody = z.output<typeof UserBody>

const MEMBERS_MAX = 5_000
const members = z.array(z.object({ value: z.string().max(100) })).max(MEMBERS_MAX)

export const GroupBody = z.object({
  schemas: schemas.optional(),
  displayName: z.string().min(1).max(200),
  externalId: text,
  members: members.nullish(),
})
export type GroupBody = z.output<typeof GroupBody>

export const PatchBody = z.object({
  schemas: schemas.optional(),
  Operations: z
    .array(
      z.object({
        op: z.string().max(20),
        path: z.string().max(300).optional(),
        value: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(OPERATIONS_MAX),
})

const meta = z.object({
  resourceType: z.string(),
  created: timestamp,
  lastModified: timestamp,
  location: z.string(),
  version: z.string(),
})

export const ScimUser = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: z.string().optional(),
  userName: z.string(),
  displayName: z.string().optional(),
  name: z
    .object({
      givenName: z.string().optional(),
      familyName: z.string().optional(),
      formatted: z.string().optional(),
    })
    .optional(),
  emails: z.array(z.object({ value: z.string(), type: z.string(), primary: z.boolean() })),
  active: z.boolean(),
  meta,
})

export const ScimGroup = z.object({
  schemas: z.array(z.string()),
  id: z.string(),
  externalId: z.string().optional(),
  displayName: z.string(),
  members: z
    .array(z.object({ value: z.string(), display: z.string(), type: z.string(), $ref: z.string() }))
    .optional(),
  meta,
})

export const listReply = <T extends z.ZodType>(item: T) =>
  z.object({
    schemas: z.array(z.string()),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(item),
  })

/** Descriptions of the service, which are constants. */
export const Discovery = z.record(z.string(), z.unknown())
