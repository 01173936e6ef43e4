// A mail to one address, first as its parts and then as text and HTML, within size limits.
import { z } from 'zod'

export type MailButton = { readonly label: string; readonly url: string }

/** The parts of a mail in English. It is rendered in the language of its recipient when it is sent. */
export type MailContent = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: MailButton | undefined
  /** A secondary link. */
  readonly other?: MailButton | undefined
}
export type MailMessage = MailContent & { readonly to: string }
export type RenderedMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const SUBJECT_CHARACTERS_MAX = 200
const BODY_CHARACTERS_MAX = 50_000
const ADDRESS_CHARACTERS_MAX = 254

// Exactly one address: no list, no name, no quoting, no control character that could start another header.
const ADDRESS = /^[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+@[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+$/u
const CONTROL = /[\p{Cc}\u2028\u2029]/u

const Button = z.object({ label: z.string(), url: z.string() })
const Message = z.object({
  to: z.string(),
  subject: z.string(),
  paragraphs: z.array(z.string()),
  button: Button.optional(),
  other: Button.optional(),
})
// Mails that an earlier version enqueued.
const Rendered = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })

/** Throws for an invalid message. Addresses are validated at the API, so an invalid one here is a bug. */
export function checkMail(mail: RenderedMail): RenderedMail {
  const { to, subject, text, html } = mail
  if (to.length > ADDRESS_CHARACTERS_MAX || !ADDRESS.test(to))
    throw new Error('a mail goes to exactly one address')
  if (subject.length === 0 || subject.length > SUBJECT_CHARACTERS_MAX || CONTROL.test(subject))
    throw new Error('the subject of a mail is one line of at most 200 characters')
  if (text.length > BODY_CHARACTERS_MAX || html.length > BODY_CHARACTERS_MAX)
    throw new Error('the body of a mail is at most 50,000 characters')
  return mail
}

/** Parses a message from the queue. */
export const parseMessage = (json: string): MailMessage | RenderedMail =>
  z.union([Message, Rendered]).parse(JSON.parse(json))
