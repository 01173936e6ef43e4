// Addresses an operator may point the service at.
import ipaddr from 'ipaddr.js'

const URL_CHARACTERS_MAX = 2_000
// Link-local addresses are where clouds keep the credentials of their machines; the others are nobody's.
const REFUSED_RANGES = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified'])
const METADATA_HOSTS = new Set([
  '100.100.100.200',
  'fd00:ec2::254',
  'metadata.google.internal',
  'metadata.google.internal.',
])

/**
 * The URL, or null when it is no address to send a credential to. Loopback and private networks are fine: models are
 * served there. Only a super admin can set one, and what is behind it is never shown to a customer.
 */
export function parseUpstreamUrl(value: string): URL | null {
  if (
    value.length > URL_CHARACTERS_MAX ||
    /[\s\p{Cc}\p{Cf}\p{Cs}\\]/u.test(value) ||
    !/^https?:\/\//i.test(value)
  )
    return null
  if (!URL.canParse(value)) return null
  const address = new URL(value)
  const carriesCredentials = address.username !== '' || address.password !== ''
  return carriesCredentials || isRefusedHost(address.hostname) ? null : address
}

/** The host that a credential for this address would be sent to; empty when there is none. */
export const hostOf = (address: string): string => parseUpstreamUrl(address)?.hostname ?? ''

function isRefusedHost(hostname: string): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (METADATA_HOSTS.has(literal)) return true
  return ipaddr.isValid(literal) && REFUSED_RANGES.has(ipaddr.process(literal).range())
}
