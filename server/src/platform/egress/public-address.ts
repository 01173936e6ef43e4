// What is public and what is somebody's inside: one law for every call that goes where a stranger said.
import ipaddr from 'ipaddr.js'

// All of IPv6 that is given out. The rest of what is called unicast has old ways of wrapping IPv4 in it.
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')

// What clouds keep for their own machines although it looks public: Azure's agent of the host, IBM's services and the
// endpoints of those.
const CLOUDS_OWN = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

/** Everything that is not plain public unicast is somebody's inside, also when IPv6 wraps it. */
export function isPublic(ip: string): boolean {
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !CLOUDS_OWN.some((range) => address.match(range))
  return address.match(GIVEN_OUT) && !isTunnelled(address)
}

/** ISATAP: an IPv4 address, of any kind, in the lower half of an address that looks like everybody's. */
function isTunnelled({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

// Names that stand for something inside: cloud metadata, cluster services, the printer next door.
const INSIDE = /(^|\.)(internal|local|lan|home|corp|intranet|localdomain|arpa|localhost)$/

/** Whether a name, without its last dot, cannot be anybody's on the public internet. */
export const isInsideName = (host: string): boolean => INSIDE.test(host) || !host.includes('.')

/** The host of an address as a name server or a socket takes it: no brackets, no last dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
