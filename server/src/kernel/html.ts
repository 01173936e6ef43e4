// HTML that cannot be injected into: what is put into the template is text unless it was made by the template.

/** A piece of HTML that was built here. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Piece = string | number | Html | readonly Html[]

/** html`<p>${name}</p>`: texts are escaped, pieces of HTML and lists of them are kept. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(
    parts.map((part, at) => part + (at < pieces.length ? toMarkup(pieces[at] ?? '') : '')).join(''),
  )
}

/** An address for a link. Only the web is linked to, so a link can never run a script. */
export function webUrl(url: string): string {
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('a mail links to the web only')
  return href
}

const toMarkup = (piece: Piece): string => {
  if (piece instanceof Html) return piece.markup
  if (typeof piece === 'object') return piece.map(toMarkup).join('')
  return String(piece).replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
