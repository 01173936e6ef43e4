// A connection to where a name leads, looked at once: every address it has must be public, the connection is made to one of
// those and to nothing that is asked for again later, and what it reached is compared with what was meant.
import { once } from 'node:events'
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as openTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { isPublic } from '../egress/public-address.ts'
import type { Destination } from './destination.ts'
import { PageRefused, type WebEnvironment } from './page.ts'
import { waitUnlessAborted } from './time-budget.ts'

const ADDRESSES_MAX = 4
const NEXT_ADDRESS_MS = 1_000

/** Opens a socket; what it is told of the name is all that it knows. */
export type Dial = (options: TcpNetConnectOpts) => Socket
type Ways = Pick<WebEnvironment, 'resolve' | 'dial'>

export async function connect(to: Destination, ways: Ways, signal: AbortSignal): Promise<Socket> {
  const addresses = await resolveAddresses(to, ways, signal)
  const socket = ways.dial({
    host: to.host,
    port: to.port,
    lookup: (_, __, done) => done(null, addresses.map(asAnswer)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  })
  // Whoever uses the socket hears of what breaks it; between two of them nobody would.
  socket.on('error', ignored)
  try {
    await once(socket, 'connect', { signal })
    if (!matchesAddress(socket.remoteAddress, addresses)) throw new PageRefused('private_address')
    return to.url.protocol === 'https:' ? await openTlsSocket(socket, to.host, signal) : socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function resolveAddresses(to: Destination, { resolve }: Ways, signal: AbortSignal): Promise<string[]> {
  const found = isIP(to.host) ? [to.host] : await waitUnlessAborted(resolve(to, signal), signal)
  if (found.length === 0) throw new PageRefused('unreachable')
  // One bad address spoils them all: whoever mixes them hopes that we pick it.
  if (!to.isAllowlisted && !found.every(isPublic)) throw new PageRefused('private_address')
  return found.slice(0, ADDRESSES_MAX)
}

const asAnswer = (address: string) => ({ address, family: isIP(address) })

/** Whether a socket reached what was meant, however the system spells it. */
export function matchesAddress(reached: string | undefined, addresses: readonly string[]): boolean {
  const spelt = (ip: string) => ipaddr.process(ip).toString()
  return reached !== undefined && addresses.some((address) => spelt(address) === spelt(reached))
}

/** The certificate must be the name's; a number is not sent as a name. */
async function openTlsSocket(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const servername = isIP(host) ? '' : host
  const secure = openTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] })
  secure.on('error', ignored)
  await once(secure, 'secureConnect', { signal })
  return secure
}

const ignored = (): void => undefined
