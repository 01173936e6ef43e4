// The mails that bring people into a team. How many may be sent is counted where they are sent.
import { makeLink } from '../identity/identity.ts'
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import { type AttemptLimit, tryOnce } from '../platform/attempts/attempts.ts'
import type { Tx } from '../platform/db/tx.ts'
import { plain } from '../platform/mail/mail.ts'
import type { Member, Org } from './sql.ts'

const BY_TEAM: AttemptLimit = { name: 'teams.invitations', most: 20, withinSeconds: 3600 }
const TO_ADDRESS: AttemptLimit = { name: 'teams.invitationsTo', most: 3, withinSeconds: 86_400 }

/**
 * Mails a member that they are one. Who has not confirmed their address yet gets a link to do so and to choose a
 * password; nobody can take it but who reads that mail. Beyond the limits an invitation is refused; a mere notice to
 * somebody who can sign in anyway is left out.
 */
export async function invite(
  app: App,
  tx: Tx,
  org: Org,
  member: Pick<Member, 'userId' | 'email' | 'pending'>,
  inviter: string,
): Promise<void> {
  const byTeam = await tryOnce(app, tx, BY_TEAM, org.id)
  const toAddress = await tryOnce(app, tx, TO_ADDRESS, member.email)
  if (!byTeam.allowed || !toAddress.allowed) {
    if (member.pending) throw tooMany(Math.max(byTeam.retryAfter, toAddress.retryAfter))
    return
  }
  const team = unlinked(org.name)
  const content = member.pending
    ? plain(
        `You are invited to ${team} on Cowrie`,
        [
          `${inviter} has invited you to the team “${team}”.`,
          'Choose a password to accept. The link works once, for seven days.',
          'If you did not expect this, you can ignore this mail.',
        ],
        { label: 'Accept the invitation', url: await invitationUrl(app, tx, member) },
      )
    : plain(
        `You are now a member of ${team} on Cowrie`,
        [
          `${inviter} has added you to the team “${team}”. Your account and your other teams stay as they are.`,
          'If you do not want to be in it, you can leave it in the app.',
        ],
        { label: 'Open Cowrie', url: `${app.config.baseUrl}/app` },
      )
  await app.mail.send(tx, { to: member.email, ...content })
}

const tooMany = (retryAfter: number): ApiError =>
  new ApiError('too_many_attempts', {
    error: 'Too many invitations were sent; wait for the time in Retry-After.',
    retryAfter,
  })

// The token stands behind the #, which browsers send to nobody.
async function invitationUrl(app: App, tx: Tx, { userId }: Pick<Member, 'userId'>): Promise<string> {
  const { token } = await makeLink(tx, { kind: 'invitation', userId })
  return `${app.config.baseUrl}/app/reset#token=${token}&kind=invitation`
}

/** A team's name is a stranger's words in our mail: it must not become a link to somewhere else. */
const unlinked = (name: string): string => name.replace(/(?<=\S)[./:@](?=\S)/g, ' ')
