// Sends mail over SMTP, with a small connection pool.
import { once } from '../../kernel/once.ts'
import type { RenderedMail } from './message.ts'

export type SmtpClient = {
  /**
   * Delivers the mail to the server. Throws MailRejected for a permanent rejection, another error when a retry may succeed.
   * The same id gives the same Message-ID, so that a duplicate can be recognised.
   */
  deliver(id: string, message: RenderedMail, at: Date): Promise<void>
  close(): void
}

/** The server rejected this mail permanently: the mailbox does not exist, or the content is not accepted. */
export class MailRejected extends Error {
  readonly code: number
  constructor(code: number) {
    super(`the mail server rejected the mail permanently: ${code}`)
    this.name = 'MailRejected'
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

/** `url` is smtp:// or smtps:// with user and password; `?requireTLS=true` requires STARTTLS. */
export function openSmtp(url: string, from: string, times: SmtpTimeouts = TIMES): SmtpClient {
  const domain = /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
  let close: (() => void) | undefined
  const openTransport = once(async () => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url,
      pool: true,
      maxConnections: CONNECTIONS_MAX,
      // The job retries. One immediate retry covers a connection that the server closed while idle.
      maxRequeues: 1,
      connectionTimeout: times.connectMs,
      dnsTimeout: times.connectMs,
      greetingTimeout: times.greetingMs,
      socketTimeout: times.silenceMs,
      logger: false,
    })
    close = () => transport.close()
    return transport
  })

  return {
    async deliver(id, { to, subject, text, html }, at) {
      const transport = await openTransport()
      try {
        await transport.sendMail({
          from,
          // An object is always one address, whatever characters it contains.
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
    close: () => close?.(),
  }
}

// Only a rejection of the recipient or the content is permanent. A rejected login or sender is a configuration error: an
// operator can correct it while the mail waits.
function isFinal(error: unknown): error is { responseCode: number } {
  if (!(error instanceof Error) || !('responseCode' in error) || !('command' in error)) return false
  const { responseCode, command } = error
  return (
    typeof responseCode === 'number' && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  )
}
