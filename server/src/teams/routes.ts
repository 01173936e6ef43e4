// Teams: the endpoints.
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
    summary: 'Open a team that you own.',
    detail: 'It begins with five seats. You can open 20 teams.',
    access: 'any',
    rate: 'global',
    audit: true,
    body: NewTeam,
    reply: { 200: Team },
    errors: ['limit_reached'],
    handle: ({ app, actor, body, request }) => createTeam(app, actor, body, request.address),
  }),

  route('teams.rename', 'PATCH /teams/{orgId}', {
    summary: 'Give a team another name.',
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
    summary: 'Who is in a team, with their roles and caps.',
    access: { role: 'member', orgParam: 'orgId' },
    rate: 'global',
    params: TeamParams,
    query: MembersQuery,
    reply: { 200: MembersPage },
    handle: ({ app, params, query }) => listMembers(app, params.orgId, query),
  }),

  route('teams.members.add', 'POST /teams/{orgId}/members', {
    summary: 'Add somebody by their email address.',
    detail:
      'The person is a member and takes a seat from now on. A mail tells them, and has a link to leave the team without signing in; an address without an account gets one, which the mail opens. The answer is the same for both: the member is `pending`, and their name is hidden, until they open the team. A team sends at most 20 mails per hour and 3 per day to one address, and an address gets at most 10 per day from all teams; beyond that they are added without one, and `mailed` is false. One person can add 100 people per hour.',
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
    summary: 'Send the invitation again to a member who has not accepted it.',
    detail: 'Earlier invitations to that address stop working.',
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
      'Only an owner may change an owner, and a team keeps at least one. An admin’s own cap is set by others.',
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
      'Their sessions in the team end and their keys for it are revoked. Only an owner may remove an owner, and a team keeps at least one.',
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
    detail: 'Your sessions in it end and your keys for it are revoked. The last owner cannot leave.',
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
    summary: 'Leave a team with the link of the mail that said you were added.',
    detail:
      'No sign-in is needed. The link works for the membership that the mail was about, and not for a later one.',
    access: 'none',
    rate: 'auth',
    audit: true,
    body: LeaveLink,
    reply: { 200: ok },
    errors: ['link_invalid', 'last_owner'],
    handle: ({ app, body, request }) => leaveByLink(app, body.token, request.address),
  }),

  route('teams.transfer', 'POST /teams/{orgId}/transfer', {
    summary: 'Make a member an owner too, so that the ownership can move.',
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
