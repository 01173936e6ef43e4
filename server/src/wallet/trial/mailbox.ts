// The mailbox behind an email address: several addresses can lead to one.
import { hash } from 'node:crypto'

/** Providers whose domains are one, and that ignore dots before the `@`. */
const WITHOUT_DOTS = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
])

const DISPOSABLE = `
  10minutemail.com 33mail.com burnermail.io dispostable.com emailondeck.com fakeinbox.com getnada.com
  guerrillamail.com guerrillamailblock.com maildrop.cc mailinator.com mailnesia.com mailsac.com mintemail.com
  moakt.com mohmal.com mytemp.email sharklasers.com spam4.me spamgourmet.com temp-mail.org tempmail.com
  tempmail.dev throwawaymail.com trashmail.com yopmail.com
`
  .trim()
  .split(/\s+/)

/** Takes a normalised address. Removes its tag, and dots that the provider ignores. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  // An address that begins with a plus sign has no name before the tag.
  const plain = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  const provider = WITHOUT_DOTS.get(domain)
  return provider ? `${plain.replaceAll('.', '')}@${provider}` : `${plain}@${domain}`
}

export const mailboxHash = (email: string): Buffer => hash('sha256', `trial ${mailboxOf(email)}`, 'buffer')

/** Whether the domain of an address, or a domain above it, is in the list of the setting. */
export function isRefusedDomain(email: string, setting: string): boolean {
  const refused = new Set(
    setting === ''
      ? DISPOSABLE
      : setting
          .toLowerCase()
          .split(',')
          .map((domain) => domain.trim())
          .filter(Boolean),
  )
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.')
  return labels.some((_, from) => refused.has(labels.slice(from).join('.')))
}
