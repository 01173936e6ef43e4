// Renders the report as one self-contained HTML page: no scripts, no external resources, readable on phones and in
// print.

import { Html, html } from '../../kernel/html.ts'
import { splitCodes } from '../../platform/texts/codes-in-text.ts'
import type { CitedText, ReportBlock } from './draft-blocks.ts'
import type { ReportDocument } from './report-document.ts'
import { type ListedSource, splitEndMark } from './source-format.ts'

const STYLE = new Html(`
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --soft: #5d5d5d; --line: #d9d9d9; --link: #0b57a4 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #161616; --soft: #a3a3a3; --line: #3a3a3a; --link: #8ab8ee }
}
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.25 }
h2 { margin-top: 2.2rem; font-size: 1.25rem; border-bottom: 1px solid var(--line) }
h3, h4 { font-size: 1.05rem }
a { color: var(--link) }
a.cite { font-size: .8em; vertical-align: super; line-height: 1; text-decoration: none }
blockquote { margin: .5rem 0 1.2rem; padding: 0 1rem; border-inline-start: 3px solid var(--line); color: var(--soft);
  white-space: pre-line }
.scroll { overflow-x: auto }
table { border-collapse: collapse }
th, td { padding: .3rem .6rem; border: 1px solid var(--line); text-align: start; vertical-align: top }
li { margin: .3rem 0 }
.soft { color: var(--soft); font-size: .9rem }
:target { outline: 2px solid var(--link); outline-offset: 2px }
@media print {
  :root { --ink: #000; --paper: #fff; --soft: #333; --line: #999; --link: #000 }
  body { max-width: none; padding: 0; font-size: 10.5pt }
  .back { display: none }
  h2, h3 { break-after: avoid }
  blockquote, li, tr { break-inside: avoid }
}
`)

/** Links from a source back to its citations; further ones are left out. */
const BACK_LINKS_MAX = 20

export function renderHtml({ title, language, direction, parts }: ReportDocument): string {
  const citations = new Map<number, number>()
  // References are rendered last, when their citations have been counted.
  const body = parts.map((part) => renderBlock(part, citations))
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1 dir="auto">${plain(title)}</h1>
${body}
</main>
</body>
</html>
`.markup
}

type Citations = Map<number, number>

/** Codes within a text from right to left keep the order of their digits. */
const plain = (text: string): Html[] =>
  splitCodes(text).map((part) => (part.isCode ? html`<bdi dir="ltr">${part.text}</bdi>` : html`${part.text}`))

function renderBlock(part: ReportBlock, citations: Citations): Html {
  switch (part.kind) {
    case 'heading':
      return renderHeading(part)
    case 'paragraph':
      return html`<p dir="auto">${renderTexts(part.lines, citations)}</p>\n`
    case 'list': {
      const items = part.items.map((lines) => html`<li dir="auto">${renderTexts(lines, citations)}</li>\n`)
      return part.isOrdered ? html`<ol>\n${items}</ol>\n` : html`<ul>\n${items}</ul>\n`
    }
    case 'table':
      return renderTable(part, citations)
    case 'quote':
      return html`<blockquote dir="auto">${plain(part.text)}</blockquote>\n`
    case 'references':
      return html`<ul>\n${part.sources.map((source) => renderReference(source, citations.get(source.n) ?? 0))}</ul>\n`
    case 'sources':
      return html`<ul>\n${part.sources.map(
        (source) => html`<li>${source.n}. ${renderSource(source)}</li>\n`,
      )}</ul>\n`
  }
}

function renderHeading({ level, text }: ReportBlock & { kind: 'heading' }): Html {
  if (level === 2) return html`<h2 dir="auto">${plain(text)}</h2>\n`
  return level === 3 ? html`<h3 dir="auto">${plain(text)}</h3>\n` : html`<h4 dir="auto">${plain(text)}</h4>\n`
}

function renderTable({ head, rows }: ReportBlock & { kind: 'table' }, citations: Citations): Html {
  const titles = head.map((cell) => html`<th dir="auto">${plain(cell)}</th>`)
  const body = rows.map(({ cells, cites }) => {
    const filled = cells.map((cell, at) => {
      const isLast = at === cells.length - 1
      return html`<td dir="auto">${plain(cell)}${isLast ? renderCitations(cites, citations) : ''}</td>`
    })
    return html`<tr>${filled}</tr>\n`
  })
  return html`<div class="scroll"><table>\n<thead><tr>${titles}</tr></thead>\n<tbody>\n${body}</tbody>\n</table></div>\n`
}

const renderTexts = (lines: readonly CitedText[], citations: Citations): Html[] =>
  lines.map(({ text, cites }, at) => {
    const { body, end } = splitEndMark(text)
    const rendered =
      cites.length === 0
        ? html`${plain(text)}`
        : html`${plain(body)}${renderCitations(cites, citations)}${end}`
    return at === 0 ? rendered : html` ${rendered}`
  })

function renderCitations(cites: readonly number[], citations: Citations): Html[] {
  return cites.map((n) => {
    const time = (citations.get(n) ?? 0) + 1
    citations.set(n, time)
    return html`<a class="cite" id="cite-${n}-${time}" href="#source-${n}">[${n}]</a>`
  })
}

function renderReference(source: ListedSource, times: number): Html {
  const back = Array.from({ length: Math.min(times, BACK_LINKS_MAX) }, (_, at) => at + 1).map(
    (time) => html` <a href="#cite-${source.n}-${time}">↩${times > 1 ? time : ''}</a>`,
  )
  return html`<li id="source-${source.n}"><b>[${source.n}]</b> ${renderSource(source)} <span class="back">${back}</span></li>\n`
}

/** The line has the direction of the page, and the title and the site keep theirs. */
function renderSource({ link, title, site, note }: ListedSource): Html {
  const named = link
    ? html`<a href="${link}" rel="noopener noreferrer nofollow">${title}</a>`
    : html`${title}`
  const remark = note === '' ? '' : html`<span class="soft">${plain(note)}</span>`
  return html`<bdi>${named}</bdi> <span class="soft"><bdi>(${site})</bdi></span>${remark}`
}
