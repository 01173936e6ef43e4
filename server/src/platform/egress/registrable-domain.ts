// Approximates the owner of a site by its domain. Knows common suffixes only.

// Second-level domains of countries: example.co.ke, example.gov.ng, example.or.tz.
const SECOND_LEVELS = new Set('ac co com edu gob go gouv gov govt mil ne net nom or org sch'.split(' '))
/** Hosts where every subdomain has its own owner. */
const SHARED_HOSTS = new Set(
  'blogspot.com github.io gitlab.io medium.com netlify.app pages.dev readthedocs.io substack.com tumblr.com vercel.app wordpress.com'.split(
    ' ',
  ),
)

/** The registrable domain; empty if the URL is invalid. For an IP address, the address with its port. */
export function registrableDomain(url: string): string {
  const { hostname = '', host = '' } = URL.parse(url) ?? {}
  if (hostname.startsWith('[') || /\.\d+$/.test(hostname)) return host
  const labels = hostname.replace(/\.$/, '').split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const isLong = (top.length === 2 && SECOND_LEVELS.has(second)) || SHARED_HOSTS.has(`${second}.${top}`)
  return labels.slice(isLong ? -3 : -2).join('.')
}
