// Email addresses as accounts are known by: every spelling of one address has the same form, and no other address looks like it.
import { domainToASCII } from 'node:url'

/** In Unicode's compatibility form and lower case, with the domain as name servers know it. */
export function normaliseEmail(address: string): string {
  const plain = address.normalize('NFKC').trim().toLowerCase().normalize('NFKC')
  const at = plain.lastIndexOf('@') + 1
  const domain = plain.slice(at)
  return plain.slice(0, at) + (isAscii(domain) ? domain : domainToASCII(domain) || domain)
}

/** Whether every character can be told from every other: letters of other scripts look like those of an address they are not. */
export const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)
