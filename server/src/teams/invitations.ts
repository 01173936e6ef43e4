// Invitation mails of teams, with their rate limits.
import { z } from 'zod'
import { createLink } from '../identity/identity.ts'
import { ApiError } from '../kernel/errors.ts'
import type { OrgId, UserId } from '../kernel/ids.ts'
import { fromJson, toJson } from '../kernel/json.ts'
import type { Org } from '../orgs/orgs.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, countAttempt } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import { plainMail, withoutAutoLinks } from '../platform/mail/mail.ts'
import { UnsealError } from '../platform/secrets.ts'
import type { Member } from './members-sql.ts'

const TO_MEMBER: AttemptLimit = { name: 'teams.invitationsToMember', most: 3, withinSeconds: 86_400 }
const BY_TEAM: AttemptLimit = { name: 'teams.invitations', most: 20, withinSeconds: 3600 }
// Over all teams, so that several teams cannot flood one person.
const TO_ADDRESS: AttemptLimit = { name: 'teams.invitationsTo', most: 10, withinSeconds: 86_400 }

export type InvitationResult = { mailed: boolean; retryAfter: number }

/**
 * Mails a member that they were added. An unverified account gets a link to verify the address and choose a password, which
 * only the reader of the mailbox can use. Beyond the limits nothing is sent.
 */
export async function sendInvitation(
  app: App,
  tx: Tx,
  org: Org,
  member: Pick<Member, 'userId' | 'email' | 'joinedAt'> & { verified: boolean },
  inviter: string,
): Promise<InvitationResult> {
  // The narrowest limit first, so that a blocked mail does not count against the others.
  for (const [limit, subject] of [
    [TO_MEMBER, `${org.id} ${member.email}`],
    [BY_TEAM, org.id],
    [TO_ADDRESS, member.email],
  ] as const) {
    const { allowed, retryAfter } = await countAttempt(app, tx, limit, subject)
    if (!allowed) return { mailed: false, retryAfter }
  }
  const team = withoutAutoLinks(org.name)
  // Created in both cases, so that the response time does not reveal whether the account is verified.
  const invitation = await invitationUrl(app, tx, member)
  const leave = { label: 'Leave this team without signing in', url: leaveUrl(app, org, member) }
  const content = !member.verified
    ? plainMail(
        `You are invited to ${team} on Cowrie`,
        [
          `${inviter} has invited you to the team “${team}”.`,
          'Choose a password to accept. The link can be used once and expires in seven days.',
          'If you did not expect this, you can ignore this mail.',
        ],
        { label: 'Accept the invitation', url: invitation },
        leave,
      )
    : plainMail(
        `You are now a member of ${team} on Cowrie`,
        [`${inviter} has added you to the team “${team}”. Your account and your other teams do not change.`],
        { label: 'Open Cowrie', url: `${app.config.baseUrl}/app` },
        leave,
      )
  await app.mail.send(tx, { to: member.email, ...content })
  return { mailed: true, retryAfter: 0 }
}

// The token is in the fragment, which browsers do not send to servers.
async function invitationUrl(app: App, tx: Tx, { userId }: Pick<Member, 'userId'>): Promise<string> {
  const { token } = await createLink(tx, { kind: 'invitation', userId })
  return `${app.config.baseUrl}/app/reset#token=${token}&kind=invitation`
}

const LEAVE = 'teams leave link'
const LeaveToken = z.object({ orgId: z.string(), userId: z.string(), joinedAtMs: z.int() })
type Leave = { orgId: OrgId; userId: UserId; joinedAtMs: number }

/** Opening the link has no effect, because mail scanners open links. It is valid only for this membership. */
function leaveUrl(app: App, org: Org, { userId, joinedAt }: Pick<Member, 'userId' | 'joinedAt'>): string {
  const leave: Leave = { orgId: org.id, userId, joinedAtMs: joinedAt.getTime() }
  return `${app.config.baseUrl}/app/sign-in/link#token=${app.secrets.seal(toJson(leave), LEAVE)}&kind=leave`
}

export function openLeaveToken({ secrets }: App, token: string): Leave {
  try {
    return LeaveToken.parse(fromJson(secrets.open(token, LEAVE))) as Leave
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    throw new ApiError('link_invalid')
  }
}
