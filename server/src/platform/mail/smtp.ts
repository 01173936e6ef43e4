// Sending over SMTP, on a small pool of connections.
import { createTransport } from 'nodemailer'
import type { MailMessage } from './message.ts'

export type SmtpClient = {
  /**
   * Hands the mail to the server. Throws MailRefused when the server will never take it, another error when it may
   * take it later. The same id gives the same Message-ID, so a mail that was sent twice can be recognised.
   */
  deliver(id: string, message: MailMessage, at: Date): Promise<void>
  close(): void
}

/** The server refused this mail for good: there is no such mailbox, or it does not want the content. */
export class MailRejected extends Error {
  readonly code: number
  constructor(code: number) {
    super(`the mail server refused the mail for good: ${code}`)
    this.name = 'MailRefused'
    this.code = code
  }
}

export type SmtpTimeouts = {
  readonly connectMs: number
  readonly greetingMs: number
  readonly silenceMs: number
}
const TIMES: SmtpTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 20_000 }
const CONNECTIONS_MAX = 4

/** `url` is smtp:// or smtps:// with user and password; `?requireTLS=true` insists on STARTTLS. */
export function openSmtp(url: string, from: string, times: SmtpTimeouts = TIMES): SmtpClient {
  const domain = /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    // The job tries again by itself; once at once covers a connection that the server closed while it was idle.
    maxRequeues: 1,
    connectionTimeout: times.connectMs,
    dnsTimeout: times.connectMs,
    greetingTimeout: times.greetingMs,
    socketTimeout: times.silenceMs,
    logger: false,
  })

  return {
    async deliver(id, { to, subject, text, html }, at) {
      try {
        await transport.sendMail({
          from,
          // As an object it stays one address, whatever is in it.
          to: { name: '', address: to },
          subject,
          text,
          html,
          date: at,
          messageId: `<${id}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      } catch (error) {
        throw isFinal(error) ? new MailRejected(error.responseCode) : error
      }
    },
    close: () => transport.close(),
  }
}

// Only what concerns this recipient or this content is final. A refused login or sender is our configuration: the
// operator can mend it while the mail waits.
function isFinal(error: unknown): error is { responseCode: number } {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error)) return false
  const { responseCode, command } = error
  return (
    typeof responseCode === 'number' && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  )
}
