// Routes of teams.
import { route } from '../platform/http/route.ts'
import { ok } from '../platform/http/shapes.ts'
import {
  addMember,
  changeMember,
  leaveByLink,
  leaveTeam,
  listMembers,
  removeMember,
  resendInvitation,
  transferTeam,
} from './members.ts'
import {
  EmptyBody,
  LeaveLink,
  MemberChanged,
  MemberEdit,
  MemberInvited,
  MemberParams,
  MembersPage,
  MembersQuery,
  NewMember,
  NewTeam,
  Team,
  TeamEdit,
  TeamParams,
  Transfer,
} from './schema.ts'
import { createTeam, renameTeam } from './teams.ts'

export const teamsRoutes = [
  route('teams.create', 'POST /teams', {
    summary: 'Create a team. You become its owner.',
    detail: 'A new team has five seats. You can create 20 teams.',
    access: 'any',
    rate: 'global',
    audit: true,
    body: NewTeam,
    reply: { 200: Team },
    errors: ['limit_reached'],
    handle: ({ app, actor, body, request }) => createTeam(app, actor, body, request.address),
  }),

  route('teams.rename', 'PATCH /teams/{orgId}', {
    summary: 'Rename a team.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'global',
    audit: true,
    params: TeamParams,
    body: TeamEdit,
    reply: { 200: Team },
    handle: ({ app, actor, params, body, request }) =>
      renameTeam(app, actor, params.orgId, body.name, request.address),
  }),

  route('teams.members.list', 'GET /teams/{orgId}/members', {
    summary: 'List the members of a team with roles and caps.',
    access: { role: 'member', orgParam: 'orgId' },
    rate: 'global',
    params: TeamParams,
    query: MembersQuery,
    reply: { 200: MembersPage },
    handle: ({ app, params, query }) => listMembers(app, params.orgId, query),
  }),

  route('teams.members.add', 'POST /teams/{orgId}/members', {
    summary: 'Add a member by email address.',
    detail:
      'The person becomes a member and takes a seat immediately. They receive an email with a link to leave the team without signing in. An address without an account gets one, which the email opens. The reply is the same in both cases: the member is `pending`, and the name is hidden, until they open the team. Limits: a team sends 20 emails per hour and 3 per day to one address; an address receives 10 per day from all teams. Beyond that the member is added without an email, and `mailed` is false. One user can add 100 members per hour.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'global',
    audit: true,
    params: TeamParams,
    body: NewMember,
    reply: { 200: MemberInvited },
    errors: ['seats_exceeded', 'already_member', 'too_many_attempts'],
    handle: ({ app, actor, params, body, request }) =>
      addMember(app, actor, params.orgId, body, request.address),
  }),

  route('teams.members.invite', 'POST /teams/{orgId}/members/{userId}/invite', {
    summary: 'Send the invitation again to a pending member.',
    detail: 'Earlier invitations to that address become invalid.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'global',
    audit: true,
    params: MemberParams,
    body: EmptyBody,
    reply: { 200: MemberInvited },
    errors: ['already_member', 'too_many_attempts'],
    handle: ({ app, actor, params, request }) =>
      resendInvitation(app, actor, params.orgId, params.userId, request.address),
  }),

  route('teams.members.change', 'PATCH /teams/{orgId}/members/{userId}', {
    summary: 'Change the role or the cap of a member.',
    detail:
      'Only an owner can change an owner, and a team keeps at least one. Admins cannot change their own cap.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'global',
    audit: true,
    params: MemberParams,
    body: MemberEdit,
    reply: { 200: MemberChanged },
    errors: ['last_owner'],
    handle: ({ app, actor, params, body, request }) =>
      changeMember(app, actor, params.orgId, params.userId, body, request.address),
  }),

  route('teams.members.remove', 'DELETE /teams/{orgId}/members/{userId}', {
    summary: 'Remove a member.',
    detail:
      'Ends their sessions in the team and revokes their keys. Only an owner can remove an owner, and a team keeps at least one.',
    access: { role: 'admin', orgParam: 'orgId' },
    rate: 'global',
    audit: true,
    params: MemberParams,
    reply: { 200: ok },
    errors: ['last_owner'],
    handle: ({ app, actor, params, request }) =>
      removeMember(app, actor, params.orgId, params.userId, request.address),
  }),

  route('teams.leave', 'POST /teams/{orgId}/leave', {
    summary: 'Leave a team.',
    detail: 'Ends your sessions in the team and revokes your keys. The last owner cannot leave.',
    access: { role: 'member', orgParam: 'orgId' },
    rate: 'global',
    audit: true,
    params: TeamParams,
    body: EmptyBody,
    reply: { 200: ok },
    errors: ['last_owner'],
    handle: ({ app, actor, params, request }) => leaveTeam(app, actor, params.orgId, request.address),
  }),

  route('teams.leaveByLink', 'POST /teams/leave', {
    summary: 'Leave a team with the link from the invitation email.',
    detail: 'No sign-in is needed. The link is valid only for the membership that the email was about.',
    access: 'none',
    rate: 'auth',
    audit: true,
    body: LeaveLink,
    reply: { 200: ok },
    errors: ['link_invalid', 'last_owner'],
    handle: ({ app, body, request }) => leaveByLink(app, body.token, request.address),
  }),

  route('teams.transfer', 'POST /teams/{orgId}/transfer', {
    summary: 'Make a member an additional owner.',
    access: { role: 'owner', orgParam: 'orgId' },
    rate: 'global',
    audit: true,
    params: TeamParams,
    body: Transfer,
    reply: { 200: MemberChanged },
    errors: ['invitation_pending'],
    handle: ({ app, actor, params, body, request }) =>
      transferTeam(app, actor, params.orgId, body.userId, request.address),
  }),
]
