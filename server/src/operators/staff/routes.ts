// The endpoints of staff administration.
import { answer } from '../../platform/http/answer.ts'
import { route } from '../../platform/http/route.ts'
import { ok } from '../../platform/http/shapes.ts'
import { acceptInvite, inviteStaff, revokeInvite } from './invites.ts'
import {
  AcceptInviteBody,
  AcceptInviteResult,
  GrantResult,
  InviteResult,
  RoleBody,
  RoleChangeResult,
  StaffBody,
  StaffListing,
} from './schema.ts'
import { changeRole, grantStaff, listStaff, parseTier, removeStaff } from './staff.ts'

export const staffRoutes = [
  route('admin.operators.list', 'GET /admin/operators', {
    summary: 'Platform staff, and the invitations that wait for an answer.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: StaffListing },
    handle: ({ app }) => listStaff(app),
  }),

  route('admin.operators.grant', 'POST /admin/operators', {
    summary: 'Make an existing account platform staff.',
    detail:
      'Only adds access: an account that has another tier keeps it, and repeating a grant changes nothing.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    body: StaffBody,
    reply: { 200: GrantResult },
    errors: ['not_found', 'already_staff', 'unverified_account', 'limit_reached', 'unknown_role'],
    handle: ({ app, actor, body, request }) =>
      grantStaff(app, actor, body.email, parseTier(body.role), request.address),
  }),

  route('admin.operators.invite', 'POST /admin/operators/invite', {
    summary: 'Invite somebody to platform staff by mail.',
    detail:
      'The link works once, within seven days. A newer invitation to the same address replaces the older.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    body: StaffBody,
    carriesSecret: true,
    reply: { 201: InviteResult },
    errors: ['already_staff', 'limit_reached', 'unknown_role'],
    handle: async ({ app, actor, body, request }) =>
      answer(201, await inviteStaff(app, actor, body.email, parseTier(body.role), request.address)),
  }),

  route('admin.operators.revokeInvite', 'POST /admin/operators/invite/{id}/revoke', {
    summary: 'Take an invitation back.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    handle: async ({ app, actor, params, request }) => {
      await revokeInvite(app, actor, params.id ?? '', request.address)
      return { ok: true as const }
    },
  }),

  route('admin.operators.changeRole', 'PUT /admin/operators/{userId}/role', {
    summary: 'Assign a tier to a member of staff, from their next request on.',
    detail:
      'Your own account is permitted. There is always a super admin left, and the root administrator stays one. Sending the tier that is held already changes nothing and leaves no trace.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    body: RoleBody,
    reply: { 200: RoleChangeResult },
    errors: ['root_admin', 'last_super_admin', 'unknown_role'],
    handle: ({ app, actor, params, body, request }) =>
      changeRole(app, actor, params.userId ?? '', body.role, request.address),
  }),

  route('admin.operators.remove', 'DELETE /admin/operators/{userId}', {
    summary: 'Take staff access away from an account, from its next request on.',
    access: { staff: ['super_admin'] },
    rate: 'global',
    audit: true,
    reply: { 200: ok },
    errors: ['root_admin', 'last_super_admin', 'last_operator'],
    handle: async ({ app, actor, params, request }) => {
      await removeStaff(app, actor, params.userId ?? '', request.address)
      return { ok: true as const }
    },
  }),

  route('auth.operatorInvite.accept', 'POST /auth/operator-invite/accept', {
    summary: 'Accept an invitation to platform staff with the mailed token.',
    detail:
      'Opens no session: sign in afterwards. An address without an account needs a password; a refused password leaves the invitation usable.',
    access: 'none',
    rate: 'auth',
    audit: true,
    duringMaintenance: 'The caller becomes staff.',
    body: AcceptInviteBody,
    bodyLimitBytes: 16 * 1024,
    reply: { 200: AcceptInviteResult },
    errors: ['invite_invalid', 'password_required', 'weak_password'],
    handle: ({ app, body, request }) => acceptInvite(app, body, request.address),
  }),
]
