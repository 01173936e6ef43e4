// Routes of staff administration.
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
    summary: 'List platform staff and open invitations.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: StaffListing },
    handle: ({ app }) => listStaff(app),
  }),

  route('admin.operators.grant', 'POST /admin/operators', {
    summary: 'Grant staff access to an existing account.',
    detail: 'Only adds access: an account with another tier is refused, and repeating a grant has no effect.',
    access: { staff: ['super_admin'] },
    stepUp: true,
    rate: 'global',
    audit: true,
    body: StaffBody,
    reply: { 200: GrantResult },
    errors: ['not_found', 'already_staff', 'unverified_account', 'limit_reached', 'unknown_role'],
    handle: ({ app, actor, body, request }) =>
      grantStaff(app, actor, body.email, parseTier(body.role), request.address),
  }),

  route('admin.operators.invite', 'POST /admin/operators/invite', {
    summary: 'Invite a person to platform staff by email.',
    detail:
      'The link can be used once and expires in seven days. A new invitation to the same address replaces the old one.',
    access: { staff: ['super_admin'] },
    stepUp: true,
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
    summary: 'Revoke an invitation.',
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
    summary: 'Change the tier of a staff member, effective from their next request.',
    detail:
      'You may change your own tier. At least one super admin must remain, and the root administrator cannot be changed. Sending the current tier has no effect and is not recorded.',
    access: { staff: ['super_admin'] },
    stepUp: true,
    rate: 'global',
    audit: true,
    body: RoleBody,
    reply: { 200: RoleChangeResult },
    errors: ['root_admin', 'last_super_admin', 'unknown_role'],
    handle: ({ app, actor, params, body, request }) =>
      changeRole(app, actor, params.userId ?? '', body.role, request.address),
  }),

  route('admin.operators.remove', 'DELETE /admin/operators/{userId}', {
    summary: 'Remove staff access, effective from the next request.',
    access: { staff: ['super_admin'] },
    stepUp: true,
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
    summary: 'Accept a staff invitation with the mailed token.',
    detail:
      'Does not sign in: sign in afterwards. An address without a verified account needs a password. A refused password leaves the invitation valid.',
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
