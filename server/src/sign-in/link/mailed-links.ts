// Requests of mailed links. A job looks up the account, so that neither the reply nor its time reveals
// whether one exists.

import { z } from 'zod'
import { createLink, userByEmail } from '../../identity/identity.ts'
import { normaliseEmail } from '../../kernel/email.ts'
import type { App } from '../../platform/app.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { enqueue } from '../../platform/jobs/jobs.ts'
import { mayMail } from '../password/attempt-limits.ts'
import { magicMail, resetMail, verifyMail } from './mails.ts'
import { identifyRequester } from './open-link.ts'

export const MAIL_LINK = 'signIn.mailLink'

const KINDS = ['verify', 'reset', 'magic'] as const
export type MailedLinkKind = (typeof KINDS)[number]
/** Stored sealed: the database must not hold addresses of people without an account. */
const LinkRequest = z.object({
  kind: z.enum(KINDS),
  email: z.string(),
  asker: z
    .object({
      browser: z.string().transform((hex) => Buffer.from(hex, 'hex')),
      network: z.string(),
      byBrowser: z.boolean(),
    })
    .nullable(),
})
const Payload = z.object({ sealed: z.string() })

const MAILS = { verify: verifyMail, reset: resetMail, magic: magicMail }

/** Enqueues the mail of a link if the limits allow it. */
export async function requestLink(
  app: App,
  request: RequestInfo,
  kind: MailedLinkKind,
  address: string,
): Promise<void> {
  const email = normaliseEmail(address)
  // Opening a reset link consumes nothing, so its requester does not matter.
  const requester = kind === 'reset' ? null : identifyRequester(app, request)
  if (!(await mayMail(app, kind, email, request))) return
  const linkRequest: z.input<typeof LinkRequest> = {
    kind,
    email,
    asker: requester && { ...requester, browser: requester.browser.toString('hex') },
  }
  const sealed = app.secrets.seal(JSON.stringify(linkRequest), MAIL_LINK)
  await app.db.tx('platform', (tx) => enqueue(tx, MAIL_LINK, { sealed }))
}

/** The job. A retry mails a second link, which replaces the first. */
export async function mailLink(app: App, payload: unknown): Promise<void> {
  const {
    kind,
    email,
    asker: requester,
  } = LinkRequest.parse(JSON.parse(app.secrets.open(Payload.parse(payload).sealed, MAIL_LINK)))
  await app.db.tx('platform', async (tx) => {
    const user = await userByEmail(tx, email)
    if (!user || (kind === 'verify' && user.verified)) return
    const { token } = await createLink(tx, { kind, userId: user.id, requester })
    await app.mail.send(tx, MAILS[kind](app, user.email, token))
  })
}
