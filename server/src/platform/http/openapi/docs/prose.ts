// The little Markdown that descriptions use: paragraphs and `code`.
import { type Html, html } from '../../../../kernel/html.ts'

export function prose(text: string): Html {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)
  return html`${paragraphs}`
}

/** Every second piece between backticks is code. */
const inline = (text: string): Html[] =>
  text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
