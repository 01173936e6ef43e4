// The mailbox behind an email address: several addresses can lead to one.
import { hash } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { registrableDomain } from '../../platform/egress/registrable-domain.ts'

/** Domains of one provider. */
const SAME_PROVIDER = new Map([
  ['googlemail.com', 'gmail.com'],
  ['pm.me', 'proton.me'],
  ['protonmail.com', 'proton.me'],
  ['protonmail.ch', 'proton.me'],
])
/** The characters before the `@` that a provider ignores. */
const IGNORED = new Map([
  ['gmail.com', /\./g],
  ['proton.me', /[._-]/g],
])
/** Yahoo marks a tag with a hyphen. Names there have none. */
const TAG = /(?<=.)\+.*$/
const YAHOO_TAG = /(?<=.)[+-].*$/

/** Providers where strangers share a domain. Any other domain may belong to one person, with any number of addresses. */
const PUBLIC_PROVIDERS = new Set(
  `aol.com gmail.com gmx.com gmx.de gmx.net hotmail.com hotmail.fr icloud.com laposte.net live.com mac.com mail.com mail.ru
  me.com msn.com orange.fr outlook.com outlook.fr proton.me qq.com rocketmail.com wanadoo.fr web.de yahoo.co.uk
  yahoo.com yahoo.fr yandex.com yandex.ru ymail.com zoho.com zohomail.com 163.com`.split(/\s+/),
)

const DISPOSABLE = `
  10minutemail.com 33mail.com addy.io aleeas.com anonaddy.com anonaddy.me burnermail.io dispostable.com duck.com
  emailondeck.com fakeinbox.com getnada.com guerrillamail.com guerrillamailblock.com maildrop.cc mailinator.com
  mailnesia.com mailsac.com mintemail.com moakt.com mohmal.com mozmail.com mytemp.email passinbox.com passmail.net
  privaterelay.appleid.com sharklasers.com simplelogin.com slmail.me spam4.me spamgourmet.com temp-mail.org
  tempmail.com tempmail.dev throwawaymail.com trashmail.com yopmail.com
`
  .trim()
  .split(/\s+/)

/** Takes a normalised address. Removes its tag, and characters that the provider ignores. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const provider = providerOf(email)
  // An address that begins with a tag has no name before it.
  const plain = email.slice(0, at).replace(/^yahoo\./.test(provider) ? YAHOO_TAG : TAG, '')
  return `${plain.replace(IGNORED.get(provider) ?? '', '')}@${provider}`
}

function providerOf(email: string): string {
  const name = email.slice(email.lastIndexOf('@') + 1)
  const domain = domainToASCII(name) || name
  return SAME_PROVIDER.get(domain) ?? domain
}

/** The domain whose owner can receive mail to the address, or null where strangers share it. */
export function ownedDomain(email: string): string | null {
  const provider = providerOf(email)
  if (PUBLIC_PROVIDERS.has(provider)) return null
  return registrableDomain(`https://${provider}`) || provider
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
  const labels = providerOf(email).split('.')
  return labels.some((_, from) => refused.has(labels.slice(from).join('.')))
}
