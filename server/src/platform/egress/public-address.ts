// Decides which addresses are public, for every request to an untrusted address.
import ipaddr from 'ipaddr.js'

// The allocated part of IPv6. The rest of unicast contains obsolete ways to embed IPv4.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

// Internal addresses of clouds in public ranges: the host agent of Azure, the services of IBM and their endpoints.
const CLOUD_INTERNAL = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((range) =>
  ipaddr.IPv4.parseCIDR(range),
)

/** Only plain public unicast is public. IPv4 embedded in IPv6 is checked as well. */
export function isPublic(ip: string): boolean {
  const address = ipaddr.parse(ip)
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv4) return !CLOUD_INTERNAL.some((range) => address.match(range))
  return address.match(GLOBAL_UNICAST) && !isTunnelled(address)
}

/** ISATAP: any IPv4 address in the lower half of an address that looks public. */
function isTunnelled({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}

// Internal names: cloud metadata, cluster services, devices of a local network.
const INTERNAL_SUFFIX = /(^|\.)(internal|local|lan|home|corp|intranet|localdomain|arpa|localhost)$/

/** Whether a name, without its trailing dot, cannot exist on the public internet. */
export const isInternalName = (host: string): boolean => INTERNAL_SUFFIX.test(host) || !host.includes('.')

/** The host without brackets and trailing dot, as sockets and resolvers expect it. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

// Ports above 1023 of protocols other than HTTP: databases, queues, remote access, file and telephony services.
const SERVICE_PORTS = new Set([
  ...[
    1080, 1433, 1434, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3128, 3306, 3389,
    3659,
  ],
  ...[
    4045, 4190, 4369, 5060, 5061, 5432, 5433, 5671, 5672, 5900, 5901, 5984, 5985, 5986, 6000, 6001, 6379,
    6380,
  ],
  ...[
    6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 8086, 8500, 9042, 9092, 9200, 9300, 10080, 10250, 10255,
  ],
  ...[11211, 15672, 25565, 27017, 27018, 27019, 50000],
])
const PRIVILEGED_MAX = 1023

/** The reason to reject the port of an address; null when a web server may use it. */
export function findPortProblem({ protocol, port }: URL): string | null {
  const number = Number(port) || (protocol === 'https:' ? 443 : 80)
  const isWeb = number === 80 || number === 443 || (number > PRIVILEGED_MAX && !SERVICE_PORTS.has(number))
  return isWeb
    ? null
    : `must not use port ${number}: use 443, 80, or a port above ${PRIVILEGED_MAX} of a web server`
}
