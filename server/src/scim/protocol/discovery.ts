// The discovery resources: supported features, types of resources and their schemas (RFC 7643, sections 5 to 7).
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { GROUP_SCHEMA, listOf, PAGE_MAX, scimUrl, USER_SCHEMA } from './messages.ts'

const NO = { supported: false }

export const serviceProviderConfig = (app: App) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { ...NO, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: NO,
  sort: NO,
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token that an owner of the organisation has created.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${scimUrl(app)}/ServiceProviderConfig` },
})

const resourceType = (app: App, id: 'User' | 'Group', schema: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id,
  name: id,
  endpoint: `/${id}s`,
  schema,
  meta: { resourceType: 'ResourceType', location: `${scimUrl(app)}/ResourceTypes/${id}` },
})

const resourceTypes = (app: App) => [
  resourceType(app, 'User', USER_SCHEMA),
  resourceType(app, 'Group', GROUP_SCHEMA),
]

export function listResourceTypes(app: App) {
  const all = resourceTypes(app)
  return listOf(all, all.length)
}

export const getResourceType = (app: App, id: string) => one(resourceTypes(app), id)

type AttributeOptions = {
  required?: boolean
  unique?: boolean
  mutability?: string
  parts?: object[]
  many?: boolean
}

const attribute = (
  name: string,
  type: string,
  { required = false, unique = false, mutability = 'readWrite', parts, many = false }: AttributeOptions = {},
) => ({
  name,
  type,
  multiValued: many,
  required,
  caseExact: false,
  mutability,
  returned: 'default',
  uniqueness: unique ? 'server' : 'none',
  ...(parts && { subAttributes: parts }),
})

const USER_ATTRIBUTES = [
  attribute('userName', 'string', { required: true, unique: true }),
  attribute('name', 'complex', {
    parts: ['formatted', 'familyName', 'givenName'].map((part) => attribute(part, 'string')),
  }),
  attribute('displayName', 'string'),
  // The address of the account, which belongs to its person.
  attribute('emails', 'complex', {
    many: true,
    mutability: 'immutable',
    parts: [attribute('value', 'string'), attribute('type', 'string'), attribute('primary', 'boolean')],
  }),
  attribute('active', 'boolean'),
]

const GROUP_ATTRIBUTES = [
  attribute('displayName', 'string', { required: true, unique: true }),
  attribute('members', 'complex', {
    many: true,
    parts: [
      attribute('value', 'string', { mutability: 'immutable' }),
      attribute('display', 'string', { mutability: 'readOnly' }),
    ],
  }),
]

const schema = (app: App, id: string, name: string, attributes: object[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  id,
  name,
  attributes,
  meta: { resourceType: 'Schema', location: `${scimUrl(app)}/Schemas/${id}` },
})

const schemas = (app: App) => [
  schema(app, USER_SCHEMA, 'User', USER_ATTRIBUTES),
  schema(app, GROUP_SCHEMA, 'Group', GROUP_ATTRIBUTES),
]

export function listSchemas(app: App) {
  const all = schemas(app)
  return listOf(all, all.length)
}

export const getSchema = (app: App, id: string) => one(schemas(app), id)

function one<T extends { id: string }>(all: readonly T[], id: string): T {
  const found = all.find((each) => each.id === id)
  if (!found) throw new ApiError('not_found')
  return found
}
