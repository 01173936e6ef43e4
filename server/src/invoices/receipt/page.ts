// A document as a page: printed on A4, read on a phone, kept as a file. Nothing on it runs or is loaded from elsewhere.
import { createHash } from 'node:crypto'
import { Html, html } from '../../kernel/html.ts'
import { type Currency, format, money } from '../../kernel/money.ts'
import type { Buyer, InvoiceLine, Party } from '../document.ts'
import { countryName } from '../tax/countries.ts'
import type { Tax } from '../tax/tax.ts'
import { PAGE_STYLE } from './page-style.ts'

export type DocumentPage = {
  readonly title: string
  readonly number: string
  /** `PAID`, `TEST MONEY`: what must be seen first. */
  readonly stamps: readonly string[]
  readonly isVoid: boolean
  readonly seller: Party
  readonly buyer: Buyer
  /** Each with its value in one or several lines. */
  readonly facts: readonly (readonly [label: string, lines: readonly string[]])[]
  readonly currency: Currency
  readonly lines: readonly InvoiceLine[]
  readonly subtotalMinor: bigint
  readonly taxes: readonly Tax[]
  readonly totalLabel: string
  readonly totalMinor: bigint
  /** What came off afterwards, and what is left then. */
  readonly credits: readonly { label: string; amountMinor: bigint }[]
  readonly afterCreditsMinor: bigint
  readonly remarks: readonly string[]
  /** The same as a file; null on the file itself. */
  readonly downloadUrl: string | null
}

/** Strict enough for a page without scripts, whose style is named by its hash. */
export const PAGE_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function renderPage(paper: DocumentPage): string {
  const { title, number, stamps } = paper
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} ${number}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<main${new Html(paper.isVoid ? ' class="void"' : '')}>
<header>
<div>
<h1>${title}</h1>
<p class="number">${number}</p>
</div>
<p class="stamps">${stamps.map((stamp) => html`<strong>${stamp}</strong> `)}</p>
</header>
<div class="sides">
${side('From', paper.seller, null)}
${side('To', paper.buyer, paper.buyer.country)}
</div>
<dl>
${paper.facts.map(fact)}
</dl>
${amounts(paper)}
<footer>
${paper.remarks.map((remark) => html`<p>${remark}</p>\n`)}${paper.downloadUrl === null ? '' : html`<p class="screen"><a href="${paper.downloadUrl}">Download</a></p>`}
</footer>
</main>
</body>
</html>
`.markup
}

const side = (label: string, { name, address, taxId }: Party, country: string | null): Html => html`<section>
<h2>${label}</h2>
<p class="name">${name}</p>
${address === null ? '' : html`<p class="address">${address}</p>`}
${country === null ? '' : html`<p>${countryName(country)}</p>`}
${taxId === null ? '' : html`<p>Tax ID ${taxId}</p>`}
</section>`

const fact = ([label, lines]: DocumentPage['facts'][number]): Html =>
  html`<div><dt>${label}</dt>${lines.map((line) => html`<dd>${line}</dd>`)}</div>\n`

function amounts(paper: DocumentPage): Html {
  const formatAmount = (minor: bigint): string => format(money(minor, paper.currency))
  const sum = (label: string, minor: bigint, name = '') =>
    html`<tr${new Html(name && ` class="${name}"`)}><th scope="row" colspan="2">${label}</th><td>${formatAmount(minor)}</td></tr>\n`
  return html`<table>
<thead><tr><th scope="col">Description</th><th scope="col">Qty</th><th scope="col">Amount</th></tr></thead>
<tbody>
${paper.lines.map(
  ({ description, quantity, amountMinor }) =>
    html`<tr><td>${description}</td><td>${quantity}</td><td>${formatAmount(amountMinor)}</td></tr>\n`,
)}</tbody>
<tbody class="sums">
${sum('Subtotal without tax', paper.subtotalMinor)}
${paper.taxes.map(({ name, rateBps, amountMinor }) => sum(`${name} ${formatRate(rateBps)}`, amountMinor))}
${sum(paper.totalLabel, paper.totalMinor, 'total')}
${paper.credits.map(({ label, amountMinor }) => sum(label, amountMinor))}
${paper.credits.length === 0 ? '' : sum('Left after credit', paper.afterCreditsMinor, 'total')}
</tbody>
</table>`
}

/** 750 → 7.5% */
const formatRate = (rateBps: number): string => `${rateBps / 100}%`
