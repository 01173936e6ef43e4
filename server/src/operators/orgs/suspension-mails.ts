// What owners and admins are told about a suspension.
import type { App } from '../../platform/app.ts'
import { type MailButton, type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'

export const suspendedMail = (app: App, orgName: string, reason: string | null): MailContent =>
  plainMail(
    'Your organisation is suspended',
    [
      `${withoutAutoLinks(orgName)} cannot start paid work for now: runs, chats, calls by key and purchases are refused.`,
      ...(reason === null ? [] : [`The reason: ${reason}`]),
      'You can still sign in, read everything you have, and take it with you. What is in your wallet stays yours, payments under way are still credited, and no renewal is charged in the meantime.',
      'If you think this is a mistake, write to our support.',
    ],
    toApp(app),
  )

export const reinstatedMail = (app: App, orgName: string): MailContent =>
  plainMail(
    'Your organisation is no longer suspended',
    [
      `${withoutAutoLinks(orgName)} can start paid work again, with what is in its wallet.`,
      'A plan whose renewal fell due in the meantime is renewed now, at the price you know. Days that went by unserved are not charged.',
    ],
    toApp(app),
  )

const toApp = (app: App): MailButton => ({ label: 'Open Cowrie', url: `${app.config.baseUrl}/app` })
