// Normalises email domains and lists public ones, which no organisation can own.
import { domainToASCII } from 'node:url'

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+$)${LABEL}$`)
const LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u
const CHARACTERS_MAX = 253

/** Providers where anyone can get an address. */
const PUBLIC_MAIL = new Set([
  ...['gmail.com', 'googlemail.com', 'yahoo.com', 'yahoo.co.uk', 'yahoo.fr', 'ymail.com', 'rocketmail.com'],
  ...['outlook.com', 'hotmail.com', 'hotmail.co.uk', 'hotmail.fr', 'live.com', 'msn.com', 'aol.com'],
  ...['icloud.com', 'me.com', 'mac.com', 'proton.me', 'protonmail.com', 'pm.me', 'tutanota.com', 'tuta.io'],
  ...['gmx.com', 'gmx.de', 'gmx.net', 'web.de', 'mail.com', 'mail.ru', 'yandex.com', 'yandex.ru', 'zoho.com'],
  ...['fastmail.com', 'hey.com', 'qq.com', '163.com', '126.com', 'naver.com', 'orange.fr', 'webmail.co.za'],
  ...['mweb.co.za', 'vodamail.co.za', 'duck.com', 'mailinator.com'],
])

/** The normal form of a domain; null when it is invalid. */
export function normaliseDomain(text: string): string | null {
  const plain = text.normalize('NFKC').trim().toLowerCase().replace(/\.$/, '')
  // domainToASCII also decodes URL syntax, so reject everything but letters, digits, dots and hyphens first.
  if (!LETTERS.test(plain)) return null
  const ascii = domainToASCII(plain)
  return ascii.length <= CHARACTERS_MAX && DOMAIN.test(ascii) ? ascii : null
}

export const isPublicMail = (domain: string): boolean => PUBLIC_MAIL.has(domain)

/** The normalised domain of an email address; empty when there is none. */
export const domainOfEmail = (email: string): string =>
  normaliseDomain(email.slice(email.lastIndexOf('@') + 1)) ?? ''
