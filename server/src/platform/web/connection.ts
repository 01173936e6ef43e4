// Connects to a host that is resolved once. Every address must be public, the connection is made to one of them, and the
// remote address is checked again afterwards. A second DNS answer therefore cannot redirect the connection.
import { once } from 'node:events'
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { connect as openTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { isPublic } from '../egress/public-address.ts'
import type { Destination } from './destination.ts'
import { PageRefused } from './page.ts'
import type { ResolveHost } from './resolve-host.ts'
import { waitUnlessAborted } from './time-budget.ts'

const ADDRESSES_MAX = 4
const NEXT_ADDRESS_MS = 1_000

/** Opens a socket. It resolves the name only through `options.lookup`. */
export type Dial = (options: TcpNetConnectOpts) => Socket
type Network = { readonly resolve: ResolveHost; readonly dial: Dial }

export async function connect(to: Destination, network: Network, signal: AbortSignal): Promise<Socket> {
  const addresses = await resolveAddresses(to, network, signal)
  const socket = network.dial({
    host: to.host,
    port: to.port,
    lookup: (_, __, done) => done(null, addresses.map(toLookupAddress)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
  })
  // Users of the socket add their own listeners. This one covers errors between two users.
  socket.on('error', ignore)
  try {
    await once(socket, 'connect', { signal })
    if (!matchesAddress(socket.remoteAddress, addresses)) throw new PageRefused('private_address')
    return to.url.protocol === 'https:' ? await openTlsSocket(socket, to.host, signal) : socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function resolveAddresses(
  to: Destination,
  { resolve }: Network,
  signal: AbortSignal,
): Promise<string[]> {
  const found = isIP(to.host) ? [to.host] : await waitUnlessAborted(resolve(to, signal), signal)
  if (found.length === 0) throw new PageRefused('unreachable')
  // One private address rejects the host: a mixed answer is an attempt to reach it.
  if (!to.isAllowlisted && !found.every(isPublic)) throw new PageRefused('private_address')
  return found.slice(0, ADDRESSES_MAX)
}

const toLookupAddress = (address: string) => ({ address, family: isIP(address) })

/** Whether the socket reached one of the addresses, in any notation. */
export function matchesAddress(reached: string | undefined, addresses: readonly string[]): boolean {
  const normalise = (ip: string) => ipaddr.process(ip).toString()
  return reached !== undefined && addresses.some((address) => normalise(address) === normalise(reached))
}

/** Requires a certificate for the host. SNI does not allow an IP address, so none is sent for one. */
async function openTlsSocket(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const servername = isIP(host) ? '' : host
  const secure = openTls({ socket, host, servername, ALPNProtocols: ['http/1.1'] })
  secure.on('error', ignore)
  await once(secure, 'secureConnect', { signal })
  return secure
}

const ignore = (): void => undefined
