// Whether we go to an address at all, as far as it can be told before anybody is asked for its name.
import { isIP } from 'node:net'
import { hostOf, isInternalName, isPublic } from '../egress/public-address.ts'
import { PageRefused, type WebEnvironment, type WebRules } from './page.ts'

export type Destination = {
  readonly url: URL
  /** A name or a number, without brackets. */
  readonly host: string
  readonly port: number
  /** The operator's own, which may live anywhere. */
  readonly isAllowlisted: boolean
}

const ADDRESS_CHARACTERS_MAX = 2_048

/** What of the world may be reached. */
export type DestinationRules = Pick<WebRules, 'allow'> & Pick<WebEnvironment, 'ports'>

// Parsers drop or turn these round, each in its own way: what two of them read as different hosts is read by none.
const AMBIGUOUS_CHARACTERS = /[\u0000-\u001f\u007f\\]/
const USERINFO = /^[^/?#]*:\/\/[^/?#]*@/

/** Where an address leads. `from` is the page that leads there, for a redirect. */
export function parseDestination(address: string, border: DestinationRules, from?: URL): Destination {
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
  const isOwn = border.allow.some((own) => own.trim().toLowerCase() === `${url.hostname}:${port}`)
  const to = { url, host, port, isOwn }
  if (!isOwn) rejectInternal(to, border)
  return to
}

function rejectInternal({ url, host, port }: Destination, { ports }: DestinationRules): void {
  if (isIP(host) ? !isPublic(host) : isInternalName(host)) throw new PageRefused('private_address')
  // The same name twice, for robots, for pace and for certificates.
  if (url.hostname.endsWith('.')) throw new PageRefused('bad_address')
  if (!ports.has(port)) throw new PageRefused('port_refused')
}
