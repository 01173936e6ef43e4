// Endpoints of flags: first those of callers, then those of staff.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import { removeFlag, setFlag, setOverride } from './change.ts'
import { getOrgFlags, getOwnFlags, listFlags, listOverrides } from './listing.ts'
import {
  FlagEdit,
  FlagSaved,
  FlagsPage,
  FlagsQuery,
  OrgFlags,
  OverrideBody,
  OverrideSaved,
  OverridesPage,
  OwnFlags,
} from './schema.ts'

const writers = { staff: ['operator', 'super_admin'] } as const

export const flagRoutes = [
  route('me.flags', 'GET /me/flags', {
    summary: 'Get the features of your organisation and the source of each value.',
    access: 'any',
    rate: 'global',
    reply: { 200: OwnFlags },
    handle: ({ app, actor }) => getOwnFlags(app, actor),
  }),

  route('admin.flags.list', 'GET /admin/flags', {
    summary: 'List feature flags with their overrides.',
    access: { staff: 'any' },
    rate: 'global',
    query: FlagsQuery,
    reply: { 200: FlagsPage },
    handle: ({ app, query }) => listFlags(app, query),
  }),

  route('admin.flags.set', 'PUT /admin/flags/{key}', {
    summary: 'Create or change a feature flag.',
    detail:
      'Missing fields keep their value; a new flag is off. An organisation’s override wins, then its tier’s, then the default. The change reaches every replica within seconds. Limit: 500 flags.',
    access: writers,
    rate: 'global',
    audit: true,
    body: FlagEdit,
    reply: { 200: FlagSaved },
    errors: ['limit_reached'],
    handle: ({ app, actor, params, body, request }) =>
      setFlag(app, { actor, ip: request.address }, params.key ?? '', body),
  }),

  route('admin.flags.remove', 'DELETE /admin/flags/{key}', {
    summary: 'Delete a feature flag and its overrides, which turns it off for everyone.',
    access: writers,
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    handle: ({ app, actor, params, request }) =>
      removeFlag(app, { actor, ip: request.address }, params.key ?? ''),
  }),

  route('admin.flags.orgs', 'GET /admin/flags/{key}/orgs', {
    summary: 'List the organisations that have an override of a feature flag.',
    access: { staff: 'any' },
    rate: 'global',
    query: FlagsQuery,
    reply: { 200: OverridesPage },
    handle: ({ app, params, query }) => listOverrides(app, params.key ?? '', query),
  }),

  route('orgs.flags.list', 'GET /orgs/{orgId}/flags', {
    summary: 'Get the features of an organisation and the source of each value.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: OrgFlags },
    handle: ({ app, params }) => getOrgFlags(app, params.orgId ?? ''),
  }),

  route('orgs.flags.set', 'PUT /orgs/{orgId}/flags/{key}', {
    summary: 'Turn a feature on or off for one organisation.',
    access: writers,
    rate: 'global',
    audit: true,
    body: OverrideBody,
    reply: { 200: OverrideSaved },
    errors: ['forbidden', 'limit_reached'],
    handle: ({ app, actor, params, body, request }) =>
      setOverride(app, { actor, ip: request.address }, params.orgId ?? '', params.key ?? '', body.enabled),
  }),

  route('orgs.flags.clear', 'DELETE /orgs/{orgId}/flags/{key}', {
    summary: 'Clear the override of a feature for one organisation.',
    detail: 'The tier and the default apply again. Succeeds even without an override.',
    access: writers,
    rate: 'global',
    audit: true,
    reply: { 200: OverrideSaved },
    errors: ['forbidden'],
    handle: ({ app, actor, params, request }) =>
      setOverride(app, { actor, ip: request.address }, params.orgId ?? '', params.key ?? '', null),
  }),
]
