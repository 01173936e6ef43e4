// The address of the client: that of the socket, or the one that trusted proxies report.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type TrustProxy =
  | { readonly trusts: 'nobody' }
  | { readonly trusts: 'hops'; readonly hops: number }
  | { readonly trusts: 'ranges'; readonly ranges: Ranges }

export type Ranges = {
  readonly list: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]
  /** Results of `inRanges` by address. */
  readonly known: Map<string, boolean>
}

/** Stands for every socket without an address: UNIX sockets and disconnected peers. */
export const UNKNOWN_ADDRESS = 'unknown'

const HOPS_MAX = 32
const MEMO_MAX = 10_000
/** Longer than any address with brackets, zone and port. */
const ADDRESS_LENGTH_MAX = 80

/**
 * Reads TRUST_PROXY. Unset or empty trusts no proxy. A value that trusts every address is rejected, because any
 * client could then set its own address.
 */
export function parseTrustProxy(text: string | undefined): TrustProxy {
  const wish = text?.trim() ?? ''
  if (wish === '') return { trusts: 'nobody' }
  try {
    return /^\d+$/.test(wish) ? trustHops(Number(wish)) : trustRanges(parseRanges(wish))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `TRUST_PROXY cannot be "${wish}": ${reason}. Give the number of proxies in front of the service ` +
        `(1 to ${HOPS_MAX}), or their addresses and CIDRs separated by commas, such as "10.0.0.0/8, 192.0.2.7"`,
      { cause },
    )
  }
}

/** Reads a comma-separated list of addresses and CIDRs, such as a webhook's allowlist. */
export function parseRanges(text: string): Ranges {
  return { list: text.split(',').map((part) => parseRange(part.trim())), known: new Map() }
}

/**
 * The one spelling of an address or a CIDR: IPv4-mapped IPv6 as IPv4, IPv6 compressed, and no suffix for a single address. Throws
 * where it is ambiguous: zone ids, leading zeros and host bits. Also refuses a range of all addresses.
 */
export function canonicalRange(text: string): string {
  const [network, bits] = parseRange(text)
  const widest = network.kind() === 'ipv4' ? 32 : 128
  if (/\/0\d/.test(text)) throw new Error('must be an IP address or a CIDR')
  if (bits === 0) throw new Error('must not be all addresses; remove the list instead')
  const first = network.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  const start = first.networkAddressFromCIDR(`${network}/${bits}`)
  if (start.toString() !== network.toString())
    throw new Error(`must start at the first address of the network: ${start}/${bits}`)
  return bits === widest ? network.toString() : `${network}/${bits}`
}

/** Whether every address of a range is in one of these ranges. */
export function isRangeWithin(range: string, { list }: Ranges): boolean {
  const [network, bits] = parseRange(range)
  return list.some(([outer, outerBits]) => {
    if (network.kind() !== outer.kind() || bits < outerBits) return false
    return network.match(outer, outerBits)
  })
}

/** Whether an address is in one of the ranges. Text that is not an address is in none. */
export function inRanges(ip: string, ranges: Ranges): boolean {
  const known = ranges.known.get(ip)
  if (known !== undefined) return known
  const address = canonical(ip)
  if (address === null) return false
  const parsed = ipaddr.parse(address)
  const found = ranges.list.some(
    ([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits),
  )
  return remember(ranges.known, address, found)
}

/**
 * The client's address in canonical form. Walks X-Forwarded-For from right to left while the current hop is
 * trusted. Each trusted proxy appended its own peer, so an entry that the client wrote is never used. An entry that
 * is not an address ends the walk.
 */
export function clientAddress(
  trust: TrustProxy,
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
): string {
  let address = peerAddress(socketAddress)
  if (trust.trusts === 'nobody' || forwardedFor === undefined) return address

  let end = forwardedFor.length
  for (let hop = 0; hop < HOPS_MAX && end > 0 && isTrusted(trust, address, hop); hop++) {
    const comma = forwardedFor.lastIndexOf(',', end - 1)
    const next = canonical(forwardedFor.slice(comma + 1, end).trim())
    if (next === null) return address
    address = next
    end = comma
  }
  return address
}

/**
 * The address that rate limits count: IPv4 unchanged, IPv6 by its /64, because one customer usually owns a
 * whole /64 and could rotate through it.
 */
export function bucketAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  if (ip.length > ADDRESS_LENGTH_MAX) return UNKNOWN_ADDRESS
  return networks.get(ip) ?? remember(networks, ip, network(ip))
}

/** The network for limits over days: an IPv4 /24 or an IPv6 /48. One customer can easily get more than one address. */
export function networkPrefix(ip: string): string {
  const address = canonical(ip)
  if (address === null) return UNKNOWN_ADDRESS
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.slice(0, 3).join('.')}.0/24`
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 3), 0, 0, 0, 0, 0])}/48`
}

// A full cache is cleared: cheaper than tracking the order of use, and refilling costs microseconds.
const canonicals = new Map<string, string | null>()
const networks = new Map<string, string>()

function remember<V>(memo: Map<string, V>, key: string, value: V): V {
  if (memo.size >= MEMO_MAX) memo.clear()
  memo.set(key, value)
  return value
}

function trustHops(hops: number): TrustProxy {
  if (hops < 1 || hops > HOPS_MAX) throw new Error('the number of proxies is out of bounds')
  return { trusts: 'hops', hops }
}

function trustRanges(ranges: Ranges): TrustProxy {
  if (ranges.list.some(([, bits]) => bits === 0))
    throw new Error('a range of all addresses trusts every client')
  return { trusts: 'ranges', ranges }
}

function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [, ip = '', prefix] = /^([^/%]+?)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(ip)
  const widest = version === 4 ? 32 : 128
  const bits = prefix === undefined ? widest : Number(prefix)
  if (version === 0 || bits > widest) throw new Error(`"${text}" is neither an IP address nor a CIDR`)

  const address = ipaddr.parse(ip)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
    if (bits < 96) throw new Error(`"${text}" mixes IPv4 and IPv6; write the IPv4 range itself`)
    return [address.toIPv4Address(), bits - 96]
  }
  return [address, bits]
}

function isTrusted(trust: Exclude<TrustProxy, { trusts: 'nobody' }>, address: string, hop: number): boolean {
  return trust.trusts === 'hops' ? hop < trust.hops : inRanges(address, trust.ranges)
}

/** The operating system writes IPv4 addresses in canonical form, so they need no parsing. */
function peerAddress(socketAddress: string | undefined): string {
  if (!socketAddress) return UNKNOWN_ADDRESS
  if (!socketAddress.includes(':')) return socketAddress
  return canonical(socketAddress) ?? UNKNOWN_ADDRESS
}

/** The canonical form, with IPv4-mapped IPv6 as IPv4; null for text that is not an address. */
function canonical(text: string): string | null {
  if (text.length > ADDRESS_LENGTH_MAX) return null
  const known = canonicals.get(text)
  if (known !== undefined) return known
  // Copied, because a cached slice would keep the whole header in memory.
  const copy = Buffer.from(text).toString()
  return remember(canonicals, copy, parseAddress(copy))
}

/** Takes the forms that proxies write: bare, `[IPv6]`, and either with a port. */
function parseAddress(text: string): string | null {
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const ip = bare.replace(/%.*$/s, '')
  // Node validates the address: ipaddr.js also accepts 0x7f.1 and 0177.0.0.1, which other parsers read differently.
  if (isIP(ip) === 0) return null
  return ipaddr.process(ip).toString()
}

function network(ip: string): string {
  const address = canonical(ip)
  if (address === null) return UNKNOWN_ADDRESS
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return address
  return new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()
}
