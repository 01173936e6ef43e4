// Splits HTML into tags and texts in one pass, so that no page takes longer than its length.

export type HtmlAttributes = ReadonlyMap<string, string>
export type HtmlToken =
  | {
      readonly kind: 'open'
      readonly name: string
      readonly attributes: HtmlAttributes
      readonly isClosed: boolean
    }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

/** Further attributes are ignored. */
const ATTRIBUTES_MAX = 60
const NAME_MAX = 40
const VALUE_MAX = 2_000

/** Their content is not markup. */
const RAW_TEXT_ELEMENTS = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
])

/** With `isXml`, `<a/>` is a closed element. Text keeps its entities. */
export function* tokenizeHtml(html: string, isXml = false): Generator<HtmlToken> {
  let at = 0
  while (at < html.length) {
    const next = findTagStart(html, at)
    if (next > at) yield { kind: 'text', text: html.slice(at, next) }
    if (next === html.length) return
    const after = html.charAt(next + 1)
    if (after === '!' || after === '?') {
      at = findCommentEnd(html, next)
      continue
    }
    const tag = readTag(html, after === '/' ? next + 2 : next + 1)
    at = tag.end
    // An unfinished tag is ignored.
    if (!tag.isWhole) return
    if (after === '/') {
      yield { kind: 'close', name: tag.name }
      continue
    }
    const isClosed = isXml && tag.isSelfClosing
    yield { kind: 'open', name: tag.name, attributes: tag.attributes, isClosed }
    if (isClosed || !RAW_TEXT_ELEMENTS.has(tag.name)) continue
    const end = findRawTextEnd(html, at, tag.name)
    yield { kind: 'text', text: html.slice(at, end) }
    yield { kind: 'close', name: tag.name }
    at = findTagEnd(html, end)
  }
}

/** The next `<` of a tag, or the end. */
function findTagStart(html: string, from: number): number {
  const start = /<(?:[a-z!?]|\/[a-z!?])/gi
  start.lastIndex = from
  return start.exec(html)?.index ?? html.length
}

function findCommentEnd(html: string, start: number): number {
  const isComment = html.startsWith('<!--', start)
  if (isComment && html.startsWith('>', start + 4)) return start + 5
  const end = html.indexOf(isComment ? '-->' : '>', start + 2)
  if (end < 0) return html.length
  return isComment ? end + 3 : end + 1
}

function findRawTextEnd(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

function findTagEnd(html: string, from: number): number {
  const end = html.indexOf('>', from)
  return end < 0 ? html.length : end + 1
}

type HtmlTag = {
  readonly name: string
  readonly attributes: HtmlAttributes
  readonly isSelfClosing: boolean
  readonly isWhole: boolean
  readonly end: number
}

function readTag(html: string, from: number): HtmlTag {
  const nameEnd = skipCharacters(html, from, NAME_CHARACTERS)
  const name = html.slice(from, Math.min(nameEnd, from + NAME_MAX)).toLowerCase()
  const attributes = new Map<string, string>()
  let at = nameEnd
  while (at < html.length) {
    at = skipCharacters(html, at, BETWEEN)
    if (html.charAt(at) === '>') {
      const isSelfClosing = html.charAt(at - 1) === '/'
      return { name, attributes, isSelfClosing, isWhole: true, end: at + 1 }
    }
    const attribute = readAttribute(html, at)
    if (attributes.size < ATTRIBUTES_MAX && !attributes.has(attribute.name))
      attributes.set(attribute.name, attribute.value)
    at = attribute.end
  }
  return { name, attributes, isSelfClosing: false, isWhole: false, end: html.length }
}

function readAttribute(html: string, from: number): { name: string; value: string; end: number } {
  // The first character belongs to the name, even if it is `=`.
  const nameEnd = skipCharacters(html, from + 1, ATTRIBUTE_NAME_CHARACTERS)
  const name = html.slice(from, Math.min(nameEnd, from + NAME_MAX)).toLowerCase()
  const equals = skipCharacters(html, nameEnd, SPACES)
  if (html.charAt(equals) !== '=') return { name, value: '', end: nameEnd }
  const start = skipCharacters(html, equals + 1, SPACES)
  const quote = html.charAt(start)
  if (quote !== '"' && quote !== "'") {
    const end = skipCharacters(html, start, UNQUOTED)
    return { name, value: html.slice(start, Math.min(end, start + VALUE_MAX)), end }
  }
  const close = html.indexOf(quote, start + 1)
  const end = close < 0 ? html.length : close
  return {
    name,
    value: html.slice(start + 1, Math.min(end, start + 1 + VALUE_MAX)),
    end: Math.min(end + 1, html.length),
  }
}

const NAME_CHARACTERS = /[^\s/>]*/y
const BETWEEN = /[\s/]*/y
const ATTRIBUTE_NAME_CHARACTERS = /[^\s/>=]*/y
const SPACES = /\s*/y
const UNQUOTED = /[^\s>]*/y

/** The end of the matching characters. */
function skipCharacters(html: string, from: number, characters: RegExp): number {
  characters.lastIndex = from
  return characters.test(html) ? characters.lastIndex : from
}
