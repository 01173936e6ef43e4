// Mails about verification.
import type { App } from '../platform/app.ts'
import { type Button, type Content, plain, unlinked } from '../platform/mail/mail.ts'
import type { KycRecord } from './sql.ts'

export const receivedMail = (app: App, orgName: string): Content =>
  plain(
    'We received your business details',
    [
      `Thank you. The details of ${unlinked(orgName)} are waiting for review, and you can correct them until then.`,
      'We will write to the owners and to the contact address as soon as there is a decision.',
    ],
    openAppButton(app),
  )

export function decisionMail(app: App, { orgName, status, reviewerNotes }: KycRecord): Content {
  const wrote = reviewerNotes === '' ? [] : [`The reviewer wrote: ${reviewerNotes}`]
  return status === 'verified'
    ? plain(
        'Your business is verified',
        [`${unlinked(orgName)} is now verified.`, ...wrote],
        openAppButton(app),
      )
    : plain(
        'Your business could not be verified',
        [
          `We could not verify ${unlinked(orgName)} with the details we have.`,
          ...wrote,
          'You can correct the details and submit them again.',
        ],
        openAppButton(app),
      )
}

const openAppButton = (app: App): Button => ({
  label: 'Open Cowrie',
  url: `${app.config.baseUrl}/app`,
})
