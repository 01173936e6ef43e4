// A mail to one address, as text and HTML, within size limits.
import { z } from 'zod'

/** The output of a template. */
export type MailContent = { readonly subject: string; readonly text: string; readonly html: string }
export type MailMessage = MailContent & { readonly to: string }

const SUBJECT_CHARACTERS_MAX = 200
const BODY_CHARACTERS_MAX = 50_000
const ADDRESS_CHARACTERS_MAX = 254

// Exactly one address: no list, no name, no quoting, no control character that could start another header.
const ADDRESS = /^[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+@[^\s@<>()",;:\\[\]\p{Cc}\p{Cf}]+$/u
const CONTROL = /[\p{Cc}\u2028\u2029]/u

const Message = z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() })

/** Throws for an invalid message. Addresses are validated at the API, so an invalid one here is a bug. */
export function checkMessage(message: MailMessage): MailMessage {
  const { to, subject, text, html } = message
  if (to.length > ADDRESS_CHARACTERS_MAX || !ADDRESS.test(to))
    throw new Error('a mail goes to exactly one address')
  if (subject.length === 0 || subject.length > SUBJECT_CHARACTERS_MAX || CONTROL.test(subject))
    throw new Error('the subject of a mail is one line of at most 200 characters')
  if (text.length > BODY_CHARACTERS_MAX || html.length > BODY_CHARACTERS_MAX)
    throw new Error('the body of a mail is at most 50,000 characters')
  return { to, subject, text, html }
}

/** Parses a message from the queue. */
export const parseMessage = (json: string): MailMessage => checkMessage(Message.parse(JSON.parse(json)))
