// The mails that bring people into a team. How many may be sent is counted where they are sent.
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
// Over all teams, so that many of them are no way to flood one person.
const TO_ADDRESS: AttemptLimit = { name: 'teams.invitationsTo', most: 10, withinSeconds: 86_400 }

export type InvitationResult = { mailed: boolean; retryAfter: number }

/**
 * Mails a member that they were added. Who has not confirmed their address yet gets a link to do so and to choose a
 * password; nobody can take it but who reads that mail. Beyond the limits nothing is sent.
 */
export async function sendInvitation(
  app: App,
  tx: Tx,
  org: Org,
  member: Pick<Member, 'userId' | 'email' | 'joinedAt'> & { verified: boolean },
  inviter: string,
): Promise<InvitationResult> {
  // The narrowest first: what it stops is not counted against anybody else.
  for (const [limit, subject] of [
    [TO_MEMBER, `${org.id} ${member.email}`],
    [BY_TEAM, org.id],
    [TO_ADDRESS, member.email],
  ] as const) {
    const { allowed, retryAfter } = await countAttempt(app, tx, limit, subject)
    if (!allowed) return { mailed: false, retryAfter }
  }
  const team = withoutAutoLinks(org.name)
  // Made for both, so that the time it takes is the same for both.
  const invitation = await invitationUrl(app, tx, member)
  const leave = { label: 'Leave this team without signing in', url: leaveUrl(app, org, member) }
  const content = !member.verified
    ? plainMail(
        `You are invited to ${team} on Cowrie`,
        [
          `${inviter} has invited you to the team “${team}”.`,
          'Choose a password to accept. The link works once, for seven days.',
          'If you did not expect this, you can ignore this mail.',
        ],
        { label: 'Accept the invitation', url: invitation },
        leave,
      )
    : plainMail(
        `You are now a member of ${team} on Cowrie`,
        [
          `${inviter} has added you to the team “${team}”. Your account and your other teams stay as they are.`,
        ],
        { label: 'Open Cowrie', url: `${app.config.baseUrl}/app` },
        leave,
      )
  await app.mail.send(tx, { to: member.email, ...content })
  return { mailed: true, retryAfter: 0 }
}

// The token stands behind the #, which browsers send to nobody.
async function invitationUrl(app: App, tx: Tx, { userId }: Pick<Member, 'userId'>): Promise<string> {
  const { token } = await createLink(tx, { kind: 'invitation', userId })
  return `${app.config.baseUrl}/app/reset#token=${token}&kind=invitation`
}

const LEAVE = 'teams leave link'
const LeaveToken = z.object({ orgId: z.string(), userId: z.string(), joinedAtMs: z.int() })
type Leave = { orgId: OrgId; userId: UserId; joinedAtMs: number }

/** Opening it does nothing: mail scanners open links too. It works for this membership, and not for a later one. */
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
