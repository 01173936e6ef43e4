// The frame of the public pages: head, header, footer. Plain HTML that works without scripts.
import { Html, html } from '../../kernel/html.ts'
import { describeCurrency } from '../../kernel/money.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../../platform/texts/language.ts'
import type { Assets } from '../facts/assets.ts'
import { COUNTRY_CODES, CURRENCY_OF, type Visitor } from '../facts/visitor.ts'
import { type SiteTexts, TEXTS } from '../text/texts.ts'
import { countryName } from './format.ts'

export const NOTHING = new Html('')

export const SITE_PATHS = ['/', '/pricing', '/terms', '/privacy', '/security', '/status'] as const
export type SitePath = (typeof SITE_PATHS)[number]

/** The input of every page. */
export type PageContext = {
  readonly visitor: Visitor
  readonly texts: SiteTexts
  readonly assets: Assets
  readonly baseUrl: string
  /** The operator, as on invoices. */
  readonly seller: string
}

export type PageParts = {
  readonly path: SitePath
  readonly title: string
  readonly description: string
  /** The first screen; the style sheet of the rest follows it. */
  readonly first: Html
  readonly rest?: Html
}

export function renderPage(
  context: PageContext,
  { path, title, description, first, rest }: PageParts,
): string {
  const { visitor, texts, assets, baseUrl } = context
  const { language } = visitor
  const name = path === '/' ? title : `${title} · Cowrie`
  return html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"${visitor.savesData ? new Html(' class="less"') : NOTHING}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${addressIn(baseUrl, path, language)}">
${LANGUAGE_CODES.map((code) => html`<link rel="alternate" hreflang="${code}" href="${addressIn(baseUrl, path, code)}">\n`)}<link rel="alternate" hreflang="x-default" href="${baseUrl}${path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Cowrie">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${addressIn(baseUrl, path, language)}">
<meta property="og:image" content="${baseUrl}${assets.preview}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<style>${new Html(assets.critical)}</style>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
${header(context, path)}
<main id="content">
${first}
<link rel="stylesheet" href="${assets.style}">
${rest ?? NOTHING}
</main>
${footer(context, path)}
</body>
</html>
`.markup
}

/** English is the default language of an address. */
export const addressIn = (baseUrl: string, path: string, language: string): string =>
  `${baseUrl}${path}${language === 'en' ? '' : `?lang=${language}`}`

/** The front page leads signed-in people to the app, so links to it say that they mean the page. */
export const homeOf = ({ isSignedIn }: Visitor): string => (isSignedIn ? '/?home=1' : '/')

function header({ visitor, texts, assets }: PageContext, path: SitePath): Html {
  const { nav } = texts
  const link = (to: string, text: string) =>
    html`<a href="${to}"${to === path ? new Html(' aria-current="page"') : NOTHING}>${text}</a>`
  const entry = visitor.isSignedIn
    ? html`<a class="button" href="/app">${nav.openApp}</a>`
    : html`<a class="button" href="/app/sign-in">${nav.signIn}</a>`
  return html`<header class="top"><div class="wide">
<a class="brand" href="${homeOf(visitor)}"><img src="${assets.icon}" alt="" width="28" height="28">Cowrie</a>
<nav aria-label="${nav.pages}">${link('/pricing', nav.pricing)}${link('/docs', nav.docs)}${link('/status', nav.status)}</nav>
${choices(visitor, texts, 'header')}
${entry}
</div></header>`
}

/** Menus of plain links, so that they work without scripts. The server remembers the choice in a cookie. */
function choices(visitor: Visitor, { nav }: SiteTexts, place: 'header' | 'footer'): Html {
  const { language, country } = visitor
  const current = new Html(' aria-current="true"')
  const languages = LANGUAGE_CODES.map(
    (code) =>
      html`<li><a href="?lang=${code}" lang="${code}" hreflang="${code}" rel="nofollow"${code === language ? current : NOTHING}>${LANGUAGES[code]}</a></li>`,
  )
  const countries = COUNTRY_CODES.map(
    (code) =>
      html`<li><a href="?country=${code}" rel="nofollow"${code === country ? current : NOTHING}>${countryName(visitor, code)} <bdi>${describeCurrency(CURRENCY_OF[code]).symbol}</bdi></a></li>`,
  )
  if (place === 'footer')
    return html`<div class="choices"><section><h2>${nav.country}</h2><ul>${countries}</ul></section><section><h2>${nav.language}</h2><ul>${languages}</ul></section></div>`
  return html`<details class="menu country"><summary><span class="hidden">${nav.country}: ${countryName(visitor, country)}</span><span aria-hidden="true">${country} <bdi>${describeCurrency(CURRENCY_OF[country]).symbol}</bdi></span></summary><ul>${countries}</ul></details>
<details class="menu"><summary><span class="hidden">${nav.language}: ${LANGUAGES[language]}</span><span aria-hidden="true">${language.toUpperCase()}</span></summary><ul>${languages}</ul></details>`
}

function footer({ visitor, texts, seller }: PageContext, path: SitePath): Html {
  const { nav } = texts
  const links: readonly (readonly [to: string, text: string])[] = [
    ['/pricing', nav.pricing],
    ['/docs', nav.docs],
    ['/status', nav.status],
    ['/terms', nav.terms],
    ['/privacy', nav.privacy],
    ['/security', nav.security],
    ['/app/contact', nav.contact],
    visitor.isSignedIn ? ['/app', nav.openApp] : ['/app/sign-in', nav.signIn],
  ]
  return html`<footer class="end"><div class="wide">
${choices(visitor, texts, 'footer')}
<ul class="links">${links.map(([to, text]) => html`<li><a href="${to}"${to === path ? new Html(' aria-current="page"') : NOTHING}>${text}</a></li>`)}</ul>
<p>${seller}</p>
</div></footer>`
}

export const textsOf = (visitor: Visitor): SiteTexts => TEXTS[visitor.language]
