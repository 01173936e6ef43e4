// Renders a document as an HTML page for A4, phones and download. It has no scripts and loads nothing.
import { createHash } from 'node:crypto'
import { Html, html } from '../../kernel/html.ts'
import { type Currency, money } from '../../kernel/money.ts'
import { qrSvg } from '../../platform/qr.ts'
import { directionOf, type Language, LOCALES } from '../../platform/texts/language.ts'
import { formatMoney, translated, type Writer, withSeparators, writerIn } from '../../platform/texts/texts.ts'
import type { Buyer, InvoiceLine, Party } from '../document.ts'
import { countryName } from '../tax/countries.ts'
import type { Tax } from '../tax/tax.ts'
import { PAGE_STYLE } from './page-style.ts'

/** The cowrie shell of the app. */
const MARK = new Html(
  '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path d="M16.5 1.5c8 0 11.5 7 11.5 14.2S23.5 30.5 16 30.5 4 23.2 4 15.7 8.5 1.5 16.5 1.5Z"/><path class="lips" d="M16.8 4.5c-5.2 6-5.2 17-.8 23 5.2-6 5.6-17 .8-23Z"/></svg>',
)

/** The registration with a tax authority. */
export type RegistrationMark = {
  /** `KRA eTIMS`, or that the registration is not complete. */
  readonly label: string
  /** The number of the authority; null before it is known. */
  readonly number: string | null
  /** The text of the QR code. */
  readonly qr: string | null
}

export type DocumentPage = {
  readonly language: Language
  readonly title: string
  readonly number: string
  /** `PAID`, `TEST MONEY`: shown first. */
  readonly stamps: readonly string[]
  readonly isVoid: boolean
  readonly seller: Party
  readonly buyer: Buyer
  /** Each label has one or more lines. */
  readonly facts: readonly (readonly [label: string, lines: readonly string[]])[]
  readonly currency: Currency
  readonly lines: readonly InvoiceLine[]
  readonly subtotalMinor: bigint
  readonly taxes: readonly Tax[]
  readonly totalLabel: string
  readonly totalMinor: bigint
  /** Credit notes, and the amount that remains after them. */
  readonly credits: readonly { label: string; amountMinor: bigint }[]
  readonly afterCreditsMinor: bigint
  readonly remarks: readonly string[]
  readonly registration: RegistrationMark | null
  /** The address of the file; null in the file itself. */
  readonly downloadUrl: string | null
}

/** A strict policy for a page without scripts; the style is allowed by its hash. */
export const PAGE_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function renderPage(page: DocumentPage): string {
  const { title, number, stamps, language } = page
  const t = writerIn(language)
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${number}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<main${new Html(page.isVoid ? ' class="void"' : '')}>
<p class="brand">${MARK} Cowrie</p>
<header>
<div>
<h1>${title}</h1>
<p class="number"><bdi dir="ltr">${number}</bdi></p>
</div>
<p class="stamps">${stamps.map((stamp) => html`<strong>${stamp}</strong> `)}</p>
</header>
<div class="sides">
${side(t, t('From'), page.seller, null)}
${side(t, t('To'), page.buyer, countryIn(page.buyer.country, language))}
</div>
<dl>
${page.facts.map(fact)}
</dl>
${amounts(page)}
${page.registration === null ? '' : registrationMark(page.registration)}
<footer>
${page.remarks.map((remark) => html`<p>${remark}</p>\n`)}${page.downloadUrl === null ? '' : html`<p class="screen"><a href="${page.downloadUrl}">${t('Download')} (PDF)</a></p>`}
</footer>
</main>
</body>
</html>
`.markup
}

const side = (
  t: Writer,
  label: string,
  { name, address, taxId }: Party,
  country: string | null,
): Html => html`<section>
<h2>${label}</h2>
<p class="name">${name}</p>
${address === null ? '' : html`<p class="address">${address}</p>`}
${country === null ? '' : html`<p>${country}</p>`}
${taxId === null ? '' : html`<p>${t('Tax ID')} ${taxId}</p>`}
</section>`

const fact = ([label, lines]: DocumentPage['facts'][number]): Html =>
  html`<div><dt>${label}</dt>${lines.map((line) => html`<dd><bdi>${line}</bdi></dd>`)}</div>\n`

const registrationMark = ({
  label,
  number,
  qr,
}: RegistrationMark): Html => html`<section class="registration">
<div><h2>${label}</h2>${number === null ? '' : html`<p><bdi dir="ltr">${number}</bdi></p>`}</div>
${qr === null ? '' : new Html(qrSvg(qr))}
</section>`

function amounts(page: DocumentPage): Html {
  const t = writerIn(page.language)
  const formatAmount = (minor: bigint): string => formatMoney(page.language, money(minor, page.currency))
  const sum = (label: string, minor: bigint, name = '') =>
    html`<tr${new Html(name && ` class="${name}"`)}><th scope="row" colspan="2">${label}</th><td><bdi dir="ltr">${formatAmount(minor)}</bdi></td></tr>\n`
  return html`<table>
<thead><tr><th scope="col">${t('Description')}</th><th scope="col">${t('Qty')}</th><th scope="col">${t('Amount')}</th></tr></thead>
<tbody>
${page.lines.map(
  ({ description, quantity, amountMinor }) =>
    html`<tr><td>${description}</td><td>${quantity}</td><td><bdi dir="ltr">${formatAmount(amountMinor)}</bdi></td></tr>\n`,
)}</tbody>
<tbody class="sums">
${sum(t('Subtotal without tax'), page.subtotalMinor)}
${page.taxes.map((tax) => sum(taxLabel(tax, page.language), tax.amountMinor))}
${sum(page.totalLabel, page.totalMinor, 'total')}
${page.credits.map(({ label, amountMinor }) => sum(label, amountMinor))}
${page.credits.length === 0 ? '' : sum(t('Remaining after credit'), page.afterCreditsMinor, 'total')}
</tbody>
</table>`
}

export function countryIn(code: string | null, language: Language): string | null {
  if (code === null || language === 'en') return code === null ? null : countryName(code)
  return new Intl.DisplayNames(LOCALES[language], { type: 'region' }).of(code) ?? countryName(code)
}

/** The name of the tax and its rate. */
export const taxLabel = ({ name, rateBps }: Tax, language: Language): string =>
  `${translated(language, name)} ${withSeparators(language, formatRate(rateBps))}`

/** 750 → 7.5% */
const formatRate = (rateBps: number): string => `${rateBps / 100}%`
