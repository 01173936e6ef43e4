// Mails about verification.
import type { App } from '../platform/app.ts'
import { type MailButton, type MailContent, plainMail, withoutAutoLinks } from '../platform/mail/mail.ts'
import type { KycRecord } from './sql.ts'

export const receivedMail = (app: App, orgName: string): MailContent =>
  plainMail(
    'We received your business details',
    [
      `Thank you. The details of ${withoutAutoLinks(orgName)} are waiting for review, and you can correct them until then.`,
      'We will write to the owners and to the contact address as soon as there is a decision.',
    ],
    openAppButton(app),
  )

export function decisionMail(app: App, { orgName, status, reviewerNotes }: KycRecord): MailContent {
  const wrote = reviewerNotes === '' ? [] : [`The reviewer wrote: ${reviewerNotes}`]
  return status === 'verified'
    ? plainMail(
        'Your business is verified',
        [`${withoutAutoLinks(orgName)} is now verified.`, ...wrote],
        openAppButton(app),
      )
    : plainMail(
        'Your business could not be verified',
        [
          `We could not verify ${withoutAutoLinks(orgName)} with the details we have.`,
          ...wrote,
          'You can correct the details and submit them again.',
        ],
        openAppButton(app),
      )
}

const openAppButton = (app: App): MailButton => ({
  label: 'Open Cowrie',
  url: `${app.config.baseUrl}/app`,
})
