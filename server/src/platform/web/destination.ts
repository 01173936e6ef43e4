// Whether we go to an address at all, as far as it can be told before anybody is asked for its name.
import { isIP } from 'node:net'
import { hostOf, isInsideName, isPublic } from '../egress/public-address.ts'
import { PageRefused, type WebRules, type World } from './page.ts'

export type Destination = {
  readonly url: URL
  /** A name or a number, without brackets. */
  readonly host: string
  readonly port: number
  /** The operator's own, which may live anywhere. */
  readonly isOwn: boolean
}

const ADDRESS_CHARACTERS_MAX = 2_048

/** What of the world may be reached. */
export type Border = Pick<WebRules, 'allow'> & Pick<World, 'ports'>

// Parsers drop or turn these round, each in its own way: what two of them read as different hosts is read by none.
const TRICKS = /[\u0000-\u001f\u007f\\]/
const USERINFO = /^[^/?#]*:\/\/[^/?#]*@/

/** Where an address leads. `from` is the page that leads there, for a redirect. */
export function destinationOf(address: string, border: Border, from?: URL): Destination {
  if (address.length > ADDRESS_CHARACTERS_MAX || TRICKS.test(address) || USERINFO.test(address.trim()))
    throw new PageRefused('bad_address')
  const url = URL.parse(address, from?.href)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new PageRefused('bad_address')
  url.hash = ''
  const host = hostOf(url)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const isOwn = border.allow.some((own) => own.trim().toLowerCase() === `${url.hostname}:${port}`)
  const to = { url, host, port, isOwn }
  if (!isOwn) refuseInside(to, border)
  return to
}

function refuseInside({ url, host, port }: Destination, { ports }: Border): void {
  if (isIP(host) ? !isPublic(host) : isInsideName(host)) throw new PageRefused('private_address')
  // The same name twice, for robots, for pace and for certificates.
  if (url.hostname.endsWith('.')) throw new PageRefused('bad_address')
  if (!ports.has(port)) throw new PageRefused('port_refused')
}
