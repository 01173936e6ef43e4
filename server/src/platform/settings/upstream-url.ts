// Addresses that an operator may configure.
import ipaddr from 'ipaddr.js'

const URL_CHARACTERS_MAX = 2_000
// Cloud metadata services, which hand out machine credentials, use link-local addresses. The others are not hosts.
const REFUSED_RANGES = new Set(['linkLocal', 'multicast', 'broadcast', 'unspecified'])
const METADATA_HOSTS = new Set([
  '100.100.100.200',
  'fd00:ec2::254',
  'metadata.google.internal',
  'metadata.google.internal.',
])

/**
 * The URL, or null when a credential must not be sent there. Loopback and private networks are allowed, because models
 * run there. Only a super admin can set one, and its responses are never shown to customers unfiltered.
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

/** The host that would receive a credential for this address; empty without one. */
export const hostOf = (address: string): string => parseUpstreamUrl(address)?.hostname ?? ''

function isRefusedHost(hostname: string): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (METADATA_HOSTS.has(literal)) return true
  return ipaddr.isValid(literal) && REFUSED_RANGES.has(ipaddr.process(literal).range())
}
