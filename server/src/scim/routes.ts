// SCIM 2.0 (RFC 7644) for directory services. They read what is supported from the first three addresses, so that the
// routes are not in the published document.
import { type Route, raw, route } from '../platform/http/route.ts'
import {
  createGroup,
  deleteGroup,
  getGroup,
  listGroups,
  patchGroup,
  replaceGroup,
} from './directory/groups.ts'
import { createUser, deleteUser, getUser, listUsers, patchUser, replaceUser } from './directory/users.ts'
import {
  getResourceType,
  getSchema,
  listResourceTypes,
  listSchemas,
  serviceProviderConfig,
} from './protocol/discovery.ts'
import { pageOf } from './protocol/messages.ts'
import {
  Discovery,
  GroupBody,
  ListQuery,
  listReply,
  OneQuery,
  PatchBody,
  ScimGroup,
  ScimUser,
  UserBody,
} from './protocol/schema.ts'
import { changeRequest, unlessKnown, withEtag } from './protocol/version.ts'

const common = { access: { token: 'scim' }, rate: 'global', hidden: true } as const
const deleted = { 204: raw('', 'Deleted.') }
const userErrors = ['already_member', 'seats_exceeded', 'last_owner'] as const
const known = { 304: raw('', 'The caller has this version.') }

export const scimRoutes: readonly Route[] = [
  route('scim.config.get', 'GET /scim/v2/ServiceProviderConfig', {
    ...common,
    summary: 'Show the supported parts of SCIM.',
    reply: { 200: Discovery },
    handle: ({ app }) => serviceProviderConfig(app),
  }),
  route('scim.resourceTypes.list', 'GET /scim/v2/ResourceTypes', {
    ...common,
    summary: 'List the types of resources.',
    reply: { 200: listReply(Discovery) },
    handle: ({ app }) => listResourceTypes(app),
  }),
  route('scim.resourceTypes.get', 'GET /scim/v2/ResourceTypes/{name}', {
    ...common,
    summary: 'Show a type of resources.',
    reply: { 200: Discovery },
    handle: ({ app, params }) => getResourceType(app, params.name ?? ''),
  }),
  route('scim.schemas.list', 'GET /scim/v2/Schemas', {
    ...common,
    summary: 'List the schemas of users and groups.',
    reply: { 200: listReply(Discovery) },
    handle: ({ app }) => listSchemas(app),
  }),
  route('scim.schemas.get', 'GET /scim/v2/Schemas/{urn}', {
    ...common,
    summary: 'Show a schema.',
    reply: { 200: Discovery },
    handle: ({ app, params }) => getSchema(app, params.urn ?? ''),
  }),

  route('scim.users.list', 'GET /scim/v2/Users', {
    ...common,
    summary: 'List the users of the organisation.',
    query: ListQuery,
    reply: { 200: listReply(ScimUser) },
    handle: ({ app, actor, query }) => listUsers(app, actor, query.filter, pageOf(query)),
  }),
  route('scim.users.create', 'POST /scim/v2/Users', {
    ...common,
    summary: 'Create a user, who becomes a member of the organisation.',
    audit: true,
    body: UserBody,
    reply: { 201: ScimUser },
    errors: userErrors,
    handle: async ({ app, actor, body, request }) => {
      const user = await createUser(app, actor, body, request.address)
      request.setHeader('location', user.meta.location)
      return withEtag(request, user)
    },
  }),
  route('scim.users.get', 'GET /scim/v2/Users/{id}', {
    ...common,
    summary: 'Show a user.',
    reply: { 200: ScimUser, ...known },
    handle: async ({ app, actor, params, request }) =>
      unlessKnown(request, await getUser(app, actor, params.id ?? '')),
  }),
  route('scim.users.replace', 'PUT /scim/v2/Users/{id}', {
    ...common,
    summary: 'Replace the attributes of a user.',
    audit: true,
    body: UserBody,
    reply: { 200: ScimUser },
    errors: [...userErrors, 'version_changed'],
    handle: async ({ app, actor, params, body, request }) =>
      withEtag(request, await replaceUser(app, actor, params.id ?? '', body, changeRequest(request))),
  }),
  route('scim.users.patch', 'PATCH /scim/v2/Users/{id}', {
    ...common,
    summary: 'Change attributes of a user. A user who is not active is no member.',
    audit: true,
    body: PatchBody,
    reply: { 200: ScimUser },
    errors: [...userErrors, 'version_changed'],
    handle: async ({ app, actor, params, body, request }) =>
      withEtag(
        request,
        await patchUser(app, actor, params.id ?? '', body.Operations, changeRequest(request)),
      ),
  }),
  route('scim.users.delete', 'DELETE /scim/v2/Users/{id}', {
    ...common,
    summary: 'Remove a user from the organisation.',
    audit: true,
    reply: deleted,
    errors: ['last_owner', 'version_changed'],
    handle: ({ app, actor, params, request }) =>
      deleteUser(app, actor, params.id ?? '', changeRequest(request)),
  }),

  route('scim.groups.list', 'GET /scim/v2/Groups', {
    ...common,
    summary: 'List the groups of the organisation.',
    query: ListQuery,
    reply: { 200: listReply(ScimGroup) },
    handle: ({ app, actor, query }) => listGroups(app, actor, query, pageOf(query)),
  }),
  route('scim.groups.create', 'POST /scim/v2/Groups', {
    ...common,
    summary: 'Create a group.',
    audit: true,
    body: GroupBody,
    reply: { 201: ScimGroup },
    errors: ['name_taken', 'limit_reached'],
    handle: async ({ app, actor, body, request }) => {
      const group = await createGroup(app, actor, body, request.address)
      request.setHeader('location', group.meta.location)
      return withEtag(request, group)
    },
  }),
  route('scim.groups.get', 'GET /scim/v2/Groups/{id}', {
    ...common,
    summary: 'Show a group.',
    query: OneQuery,
    reply: { 200: ScimGroup, ...known },
    handle: async ({ app, actor, params, query, request }) =>
      unlessKnown(request, await getGroup(app, actor, params.id ?? '', query.excludedAttributes)),
  }),
  route('scim.groups.replace', 'PUT /scim/v2/Groups/{id}', {
    ...common,
    summary: 'Replace a group with its members.',
    audit: true,
    body: GroupBody,
    reply: { 200: ScimGroup },
    errors: ['name_taken', 'version_changed'],
    handle: async ({ app, actor, params, body, request }) =>
      withEtag(request, await replaceGroup(app, actor, params.id ?? '', body, changeRequest(request))),
  }),
  route('scim.groups.patch', 'PATCH /scim/v2/Groups/{id}', {
    ...common,
    summary: 'Change the name or members of a group.',
    audit: true,
    body: PatchBody,
    // Without a body: a group may have thousands of members.
    reply: { 204: raw('', 'Changed.') },
    errors: ['name_taken', 'version_changed'],
    handle: async ({ app, actor, params, body, request }) => {
      withEtag(
        request,
        await patchGroup(app, actor, params.id ?? '', body.Operations, changeRequest(request)),
      )
      return ''
    },
  }),
  route('scim.groups.delete', 'DELETE /scim/v2/Groups/{id}', {
    ...common,
    summary: 'Delete a group. Its members stay members of the organisation.',
    audit: true,
    reply: deleted,
    errors: ['version_changed'],
    handle: ({ app, actor, params, request }) =>
      deleteGroup(app, actor, params.id ?? '', changeRequest(request)),
  }),
]
