// Terms, privacy and security: titled sections with anchors.
import { html } from '../../kernel/html.ts'
import { LEGAL, LEGAL_DATE, type LegalDocument, type LegalName } from '../legal/legal.ts'
import { formatDay } from './format.ts'
import { NOTHING, type PageContext, renderPage } from './layout.ts'

export function legalPage(context: PageContext, name: LegalName): string {
  const { visitor, texts, seller } = context
  const { title, description, lead, sections }: LegalDocument = LEGAL[visitor.language][name]
  const entries = Object.entries(sections)
  return renderPage(context, {
    path: `/${name}`,
    title,
    description,
    first: html`<article class="paper text">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<p class="notice">${texts.legal.template}</p>
<p class="help">${texts.legal.operator(seller)} &middot; ${texts.legal.changed(formatDay(visitor, LEGAL_DATE))}</p>
<ul class="contents">${entries.map(([id, section]) => html`<li><a href="#${id}">${section.title}</a></li>`)}</ul>
${entries.map(([id, section]) => html`<section id="${id}"><h2>${section.title}</h2>${section.text.map((text) => html`<p>${text}</p>`)}</section>\n`)}
${name === 'terms' ? NOTHING : html`<p><a href="/app/contact">${texts.nav.contact}</a></p>`}
</article>`,
  })
}
