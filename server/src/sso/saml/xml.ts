// A strict XML parser for SAML: elements, attributes and text. Signature wrapping attacks rely on parsers
// that read XML differently. So it rejects document types, comments, instructions, CDATA and malformed XML
// before a library sees them.

export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'

export type XmlElement = {
  readonly namespace: string
  readonly name: string
  /** By name; prefixed ones as `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** Text of this element, without its children. */
  readonly text: string
}

/** A response failed verification. The reason goes to the log; the caller learns only that it failed. */
export class SamlResponseError extends Error {
  constructor(reason: string) {
    super(`the response ${reason}`)
    this.name = 'SamlResponseError'
  }
}

// Limits above real responses with a thousand groups. The library recurses and copies prefixes for each
// element, so larger documents could take minutes.
const DEPTH_MAX = 40
const ELEMENTS_MAX = 1_500
const ATTRIBUTES_MAX = 5_000
const PREFIXES_MAX = 50

/** Parses a document and returns its root, or throws SamlResponseError. */
export function parseXml(text: string): XmlElement {
  const declaration =
    /^<\?xml version="1\.0"(?: encoding="utf-8")?(?: standalone="(?:yes|no)")?\s*\?>\s*/i.exec(text)
  const start = declaration ? declaration[0].length : 0
  if (/<[!?]/.test(text.slice(start)))
    throw new SamlResponseError('has a document type, comment, instruction or CDATA')
  if (FORBIDDEN_CHARACTERS.test(text)) throw new SamlResponseError('has characters that XML does not allow')

  const root: OpenElement = { ...newElement('', 'document'), tag: '', scope: WELL_KNOWN }
  const open = [root]
  let elements = 0
  let attributes = 0
  for (let at = start; at < text.length; ) {
    const current = open[open.length - 1] ?? root
    const [piece, tag = '', written = '', selfClosing, closing, content] = nextPiece(text, at)
    at += piece.length
    if (content !== undefined) current.text += decode(content)
    else if (closing !== undefined) {
      if (open.length === 1 || current.tag !== closing) throw new SamlResponseError('closes what is not open')
      open.pop()
    } else {
      const given = attributesIn(written)
      attributes += given.size
      if (++elements > ELEMENTS_MAX || attributes > ATTRIBUTES_MAX || open.length > DEPTH_MAX)
        throw new SamlResponseError('is too large or too deep')
      const element = openElement(tag, given, current.scope)
      current.children.push(element)
      if (!selfClosing) open.push(element)
    }
  }
  const [only, ...more] = root.children
  if (open.length > 1 || !only || more.length > 0 || root.text.trim())
    throw new SamlResponseError('is not one element')
  return only
}

/** The element and its descendants, in document order. */
export function* everyElement(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* everyElement(child)
}

export const childrenOf = ({ children }: XmlElement, namespace: string, name: string): XmlElement[] =>
  children.filter((child) => child.namespace === namespace && child.name === name)

/** The only child of this name; throws unless there is exactly one. */
export function onlyChild(element: XmlElement, namespace: string, name: string): XmlElement {
  const [only, ...more] = childrenOf(element, namespace, name)
  if (!only || more.length > 0) throw new SamlResponseError(`${element.name} has not exactly one ${name}`)
  return only
}

/** The text of an element without children. */
export function textOf(element: XmlElement): string {
  if (element.children.length > 0) throw new SamlResponseError(`has elements within ${element.name}`)
  return element.text.trim()
}

type NamespaceScope = ReadonlyMap<string, string>
type OpenElement = {
  namespace: string
  name: string
  attributes: Map<string, string>
  children: OpenElement[]
  text: string
  tag: string
  scope: NamespaceScope
}

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
const WELL_KNOWN: NamespaceScope = new Map([
  ['', ''],
  ['xml', XML_NAMESPACE],
])
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const NAME = '[A-Za-z_][\\w.-]*'
const QUALIFIED = `${NAME}(?::${NAME})?`
const QUOTED = `"[^"<]*"|'[^'<]*'`
const PIECE = new RegExp(
  `<(${QUALIFIED})((?:\\s+${QUALIFIED}\\s*=\\s*(?:${QUOTED}))*)\\s*(/)?>|</(${QUALIFIED})\\s*>|([^<]+)`,
  'y',
)
const ATTRIBUTE = new RegExp(`(${QUALIFIED})\\s*=\\s*(${QUOTED})`, 'g')

function nextPiece(text: string, at: number): RegExpExecArray {
  PIECE.lastIndex = at
  const piece = PIECE.exec(text)
  if (!piece) throw new SamlResponseError('is not well-formed')
  return piece
}

function attributesIn(written: string): Map<string, string> {
  const given = new Map<string, string>()
  for (const [, name = '', quoted = ''] of written.matchAll(ATTRIBUTE)) {
    if (given.has(name)) throw new SamlResponseError('has an attribute twice')
    given.set(name, decode(quoted.slice(1, -1)))
  }
  return given
}

function openElement(tag: string, given: ReadonlyMap<string, string>, outer: NamespaceScope): OpenElement {
  const scope = scopeOf(given, outer)
  const [prefix, name] = split(tag)
  const element = { ...newElement(namespaceOf(prefix, scope), name), tag, scope }
  for (const [qualified, value] of given) {
    const [attributePrefix, local] = split(qualified)
    if (attributePrefix === 'xmlns' || qualified === 'xmlns') continue
    const key = attributePrefix ? `{${namespaceOf(attributePrefix, scope)}}${local}` : local
    if (element.attributes.has(key)) throw new SamlResponseError('has an attribute twice')
    element.attributes.set(key, value)
  }
  return element
}

const newElement = (namespace: string, name: string) => ({
  namespace,
  name,
  attributes: new Map<string, string>(),
  children: [],
  text: '',
})

function scopeOf(given: ReadonlyMap<string, string>, outer: NamespaceScope): NamespaceScope {
  const declared = [...given].filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'))
  if (declared.length === 0) return outer
  const scope = new Map(outer)
  for (const [name, namespace] of declared) {
    const prefix = name.slice('xmlns:'.length)
    if (prefix === 'xml' || prefix === 'xmlns' || (prefix && !namespace))
      throw new SamlResponseError('declares a namespace that cannot be declared')
    scope.set(prefix, namespace)
  }
  if (scope.size > PREFIXES_MAX) throw new SamlResponseError('declares too many prefixes')
  return scope
}

function namespaceOf(prefix: string, scope: NamespaceScope): string {
  const namespace = scope.get(prefix)
  if (namespace === undefined) throw new SamlResponseError('uses a prefix that is not declared')
  return namespace
}

function split(qualified: string): [prefix: string, name: string] {
  const [first = '', second] = qualified.split(':')
  return second === undefined ? ['', first] : [first, second]
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:([a-z]{2,4}|#\d{1,7}|#x[\da-fA-F]{1,6});)?/g,
    (_, entity: string | undefined) => {
      const character = entity?.startsWith('#') ? characterOf(entity) : ENTITIES[entity ?? '']
      if (character === undefined) throw new SamlResponseError('uses an entity that is not built in')
      return character
    },
  )
}

function characterOf(reference: string): string {
  const code = reference.startsWith('#x')
    ? Number.parseInt(reference.slice(2), 16)
    : Number.parseInt(reference.slice(1), 10)
  const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\0'
  if (!character.isWellFormed() || FORBIDDEN_CHARACTERS.test(character))
    throw new SamlResponseError('has characters that XML does not allow')
  return character
}
