// The job that sends a mail, after the transaction that enqueued it has committed.
import { z } from 'zod'
import type { App } from '../app.ts'
import { queueAge } from '../jobs/figures.ts'
import { type JobKind, job } from '../jobs/jobs.ts'
import type { FigureSource } from '../log/figures.ts'
import { checkMail, parseMessage, type RenderedMail } from './message.ts'
import { MailRejected, type SmtpClient } from './smtp.ts'
import { captureMail } from './sql.ts'
import { renderMail, translateMail } from './template.ts'

export const SEND = 'mail.send'

/** The queued payload. Encrypted, because mails contain sign-in links. */
export type SealedMail = z.infer<typeof SealedMail>
const SealedMail = z.object({ sealed: z.string() })

// About 90 minutes in total: longer than the restart of a mail server and the lifetime of most links.
const ATTEMPTS = 16
const BACKOFF = { firstMs: 5_000, maxMs: 600_000 }

export const mailJobs: readonly JobKind[] = [
  job<unknown>(SEND, {
    attempts: ATTEMPTS,
    backoff: BACKOFF,
    async run(app, { id, payload, attempt }) {
      const message = await renderFor(app, id, app.secrets.open(SealedMail.parse(payload).sealed, SEND))
      const { smtp } = app.mail
      if (smtp) await deliver(app, smtp, id, message, attempt)
      else await capture(app, id, message)
    },
  }),
]

export const mailFigures: FigureSource = {
  name: 'mail',
  metrics: {
    mail_queue_age_seconds: 'Time since the oldest unsent mail was queued, also while it is retried.',
  },
  read: async (tx) => [['mail_queue_age_seconds', await queueAge(tx, SEND)]],
}

/** Renders the mail in the language that its recipient has chosen by now. */
async function renderFor(app: App, id: string, json: string): Promise<RenderedMail> {
  const message = parseMessage(json)
  if ('html' in message) return checkMail(message)
  const { to } = message
  const language = (await app.mail.languageOf(app.db.direct, to)) ?? 'en'
  const content = language === 'en' ? message : translateMail(language, message)
  if (!content) app.log.info({ id, language }, 'mail.message.untranslated')
  return checkMail({ to, ...(content ? renderMail(content, language) : renderMail(message)) })
}

async function deliver(
  app: App,
  smtp: SmtpClient,
  id: string,
  message: RenderedMail,
  attempt: number,
): Promise<void> {
  try {
    await smtp.deliver(id, message, app.clock.now())
  } catch (error) {
    if (!(error instanceof MailRejected)) {
      app.metrics.mail(attempt < ATTEMPTS ? 'retried' : 'failed')
      throw error
    }
    // A retry would be rejected as well, and repeated attempts harm our sender reputation.
    app.metrics.mail('refused')
    app.log.warn({ id, to: message.to, smtpCode: error.code }, 'mail.message.rejected')
    return
  }
  app.metrics.mail('sent')
  app.log.info({ id, attempt }, 'mail.message.sent')
}

async function capture(app: App, id: string, message: RenderedMail): Promise<void> {
  await app.db.tx('platform', (tx) => captureMail(tx, id, message))
  app.metrics.mail('kept')
  app.log.info({ id, to: message.to, subject: message.subject }, 'mail.message.captured')
}
