// Normalises email addresses: every spelling of one address has the same form, and different addresses have different forms.
import { domainToASCII } from 'node:url'

/** NFKC and lower case, with the domain in ASCII (punycode). */
export function normaliseEmail(address: string): string {
  const plain = address.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  const at = plain.lastIndexOf('@') + 1
  const domain = plain.slice(at)
  return plain.slice(0, at) + (isAscii(domain) ? domain : domainToASCII(domain) || domain)
}

/** Whether a text has only visible ASCII. Characters of other scripts may look the same. */
export const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)
