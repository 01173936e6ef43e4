// Files for machines: robots.txt, the sitemap and security.txt.
import { after } from '../../kernel/clock.ts'
import { LANGUAGE_CODES } from '../../platform/texts/language.ts'
import { addressIn, SITE_PATHS } from './layout.ts'

/** Crawlers read the public pages and the reference. */
export const robotsText = (baseUrl: string): string => `User-agent: *
Allow: /app/site/
Disallow: /app
Disallow: /try
Disallow: /pay/
Sitemap: ${baseUrl}/sitemap.xml
`

export function sitemapXml(baseUrl: string): string {
  const pages = SITE_PATHS.flatMap((path) =>
    LANGUAGE_CODES.map((language) => {
      const others = LANGUAGE_CODES.map(
        (code) => `<xhtml:link rel="alternate" hreflang="${code}" href="${addressIn(baseUrl, path, code)}"/>`,
      )
      return `<url><loc>${addressIn(baseUrl, path, language)}</loc>${others.join('')}</url>`
    }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${[...pages, `<url><loc>${baseUrl}/docs</loc></url>`].join('\n')}
</urlset>
`
}

/** RFC 9116. The expiry moves with each day, so that the file never expires while the service runs. */
export function securityText(baseUrl: string, now: Date): string {
  const expires = after(now, { days: 180 }).toISOString().slice(0, 10)
  return `Contact: ${baseUrl}/app/contact
Expires: ${expires}T00:00:00.000Z
Preferred-Languages: ${LANGUAGE_CODES.join(', ')}
Canonical: ${baseUrl}/.well-known/security.txt
Policy: ${baseUrl}/security
`
}
