// Flags: the endpoints. First what a caller sees, then what staff decide.
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
    summary: 'Which features are on for your organisation, and what decided it.',
    access: 'any',
    rate: 'global',
    reply: { 200: OwnFlags },
    handle: ({ app, actor }) => getOwnFlags(app, actor),
  }),

  route('admin.flags.list', 'GET /admin/flags', {
    summary: 'Every feature flag with its overrides.',
    access: { staff: 'any' },
    rate: 'global',
    query: FlagsQuery,
    reply: { 200: FlagsPage },
    handle: ({ app, query }) => listFlags(app, query),
  }),

  route('admin.flags.set', 'PUT /admin/flags/{key}', {
    summary: 'Make a feature flag or change it.',
    detail:
      'What is left out stays as it is; a new flag is off. An organisation’s own override counts first, then that of its tier, then the default. In force here at once, and on every replica within seconds. There can be 500 flags.',
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
    summary: 'Delete a feature flag with its overrides; it is off for everyone then.',
    access: writers,
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    handle: ({ app, actor, params, request }) =>
      removeFlag(app, { actor, ip: request.address }, params.key ?? ''),
  }),

  route('admin.flags.orgs', 'GET /admin/flags/{key}/orgs', {
    summary: 'The organisations that a feature flag is decided for one by one.',
    access: { staff: 'any' },
    rate: 'global',
    query: FlagsQuery,
    reply: { 200: OverridesPage },
    handle: ({ app, params, query }) => listOverrides(app, params.key ?? '', query),
  }),

  route('orgs.flags.list', 'GET /orgs/{orgId}/flags', {
    summary: 'Which features are on for an organisation, and what decided it.',
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
    summary: 'Let tier and default decide about a feature for an organisation again.',
    detail: 'Also a success where there was nothing to clear.',
    access: writers,
    rate: 'global',
    audit: true,
    reply: { 200: OverrideSaved },
    errors: ['forbidden'],
    handle: ({ app, actor, params, request }) =>
      setOverride(app, { actor, ip: request.address }, params.orgId ?? '', params.key ?? '', null),
  }),
]
