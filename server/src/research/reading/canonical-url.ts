// The canonical URL of a page, without parts that vary between links.

const TRACKING =
  /^(utm_.+|hsa_.+|mtm_.+|pk_.+|vero_.+|oly_.+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|li_fat_id|mc_cid|mc_eid|mkt_tok|_hsenc|_hsmi|_ga|_gl|ref_src|ref_url|cmpid|ncid|sr_share|amp|amp_.+|outputtype|srsltid|spm|s_cid|wt_mc|trk|trackingid)$/i

/** For comparing pages, not for fetching them. Returns other strings unchanged. */
export function canonicalUrl(url: string): string {
  const parsed = URL.parse(url.trim())
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.hostname === '') return url.trim()
  const page = withoutAmpCache(parsed)
  const port = page.port === '' || page.port === '80' || page.port === '443' ? '' : `:${page.port}`
  return `https://${canonicalHost(page.hostname)}${port}${canonicalPath(page.pathname)}${canonicalQuery(page.search)}`
}

/** AMP caches contain the page in their path: `google.com/amp/s/…`, `….cdn.ampproject.org/c/s/…`. */
function withoutAmpCache(url: URL): URL {
  if (!/^(www\.)?google\.[a-z.]{2,6}$|\.cdn\.ampproject\.org$/.test(url.hostname)) return url
  const path = normalizeEscapes(url.pathname).replaceAll(/\/{2,}/g, '/')
  const inside = /^\/(?:amp|[cv])\/(?:s\/)?((?:[a-z0-9-]+\.)+[a-z]{2,}(?:\/.*)?)$/i.exec(path)?.[1]
  return (inside && URL.parse(`https://${inside}${url.search}`)) || url
}

/** `www.`, `m.`, `mobile.` and `amp.` serve the same pages, also after a language (`en.m.wikipedia.org`). */
function canonicalHost(hostname: string): string {
  const labels = hostname.replace(/\.+$/, '').split('.')
  while (labels.length > 2 && /^(www|m|mobile|amp)$/.test(labels[0] ?? '')) labels.shift()
  if (labels.length > 3 && /^(m|mobile|amp)$/.test(labels[1] ?? '')) labels.splice(1, 1)
  return labels.join('.')
}

/** Removes the final slash and AMP suffixes, repeatedly. */
function canonicalPath(pathname: string): string {
  let path = normalizeEscapes(pathname).replaceAll(/\/{2,}/g, '/')
  for (let tail = findTail(path); tail; tail = findTail(path)) path = path.slice(0, -tail.length)
  return path
}

const findTail = (path: string): string | undefined =>
  /(?:(?:\/|(?<=\w)\.)amp(?:\.html?)?|\/)$/i.exec(path.slice(-TAIL_MAX))?.[0]

/** The longest suffix is `/amp.html`, plus the character before it. */
const TAIL_MAX = 10

function canonicalQuery(search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .map(normalizeEscapes)
    .filter((part) => part !== '' && !TRACKING.test(part.split('=', 1)[0] ?? ''))
    .sort()
  return kept.length > 0 ? `?${kept.join('&')}` : ''
}

/** Letters, digits and `-._~` are unescaped; other escapes are written in capitals. */
function normalizeEscapes(text: string): string {
  const whole = text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')
  return whole.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase()
  })
}
