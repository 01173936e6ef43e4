// Checks a URL before any DNS lookup: scheme, host, port and notation.
import { isIP } from 'node:net'
import { hostOf, isInternalName, isPublic } from '../egress/public-address.ts'
import { PageRefused, type WebRules } from './page.ts'

export type Destination = {
  readonly url: URL
  /** A name or an IP address, without brackets. */
  readonly host: string
  readonly port: number
  /** An operator's own host, which may be private. */
  readonly isAllowlisted: boolean
}

const ADDRESS_CHARACTERS_MAX = 2_048

/** The destinations that may be fetched. */
export type DestinationRules = Pick<WebRules, 'allow'> & { readonly ports: ReadonlySet<number> }

// URL parsers drop or replace these characters in different ways, so the host would be ambiguous.
const AMBIGUOUS_CHARACTERS = /[\u0000-\u001f\u007f\\]/
const USERINFO = /^[^/?#]*:\/\/[^/?#]*@/

/** Parses and checks an address. `from` is the redirecting page. */
export function parseDestination(address: string, rules: DestinationRules, from?: URL): Destination {
  if (
    address.length > ADDRESS_CHARACTERS_MAX ||
    AMBIGUOUS_CHARACTERS.test(address) ||
    USERINFO.test(address.trim())
  )
    throw new PageRefused('bad_address')
  const url = URL.parse(address, from?.href)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new PageRefused('bad_address')
  url.hash = ''
  const host = hostOf(url)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const isAllowlisted = rules.allow.some((entry) => entry.trim().toLowerCase() === `${url.hostname}:${port}`)
  const to = { url, host, port, isAllowlisted }
  if (!isAllowlisted) rejectInternal(to, rules)
  return to
}

function rejectInternal({ url, host, port }: Destination, { ports }: DestinationRules): void {
  if (isIP(host) ? !isPublic(host) : isInternalName(host)) throw new PageRefused('private_address')
  // A trailing dot is a second spelling of the name. Robots rules, rate limits and certificates compare names.
  if (url.hostname.endsWith('.')) throw new PageRefused('bad_address')
  if (!ports.has(port)) throw new PageRefused('port_refused')
}
