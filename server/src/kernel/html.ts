// HTML templates that prevent injection: every inserted value is escaped unless it is Html.

/** HTML that needs no escaping. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Piece = string | number | Html | readonly Html[]

/** html`<p>${name}</p>`: escapes text and keeps Html and lists of Html. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(
    parts.map((part, at) => part + (at < pieces.length ? toMarkup(pieces[at] ?? '') : '')).join(''),
  )
}

/** An address for a link. Throws for other schemes, so that a link cannot run a script. */
export function webUrl(url: string): string {
  const { protocol, href } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('links must be http or https')
  return href
}

const toMarkup = (piece: Piece): string => {
  if (piece instanceof Html) return piece.markup
  if (typeof piece === 'object') return piece.map(toMarkup).join('')
  return String(piece).replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
