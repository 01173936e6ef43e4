// The part of the DOM that is used here. The types of the parser need the browser library.
import { parseHTML } from 'linkedom'

export type DomNode = {
  readonly nodeType: number
  readonly localName?: string
  readonly data?: string
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly textContent: string | null
  getAttribute?(name: string): string | null
}

export type DomDocument = {
  readonly body: DomNode
  readonly documentElement: DomNode
  querySelectorAll(selector: string): Iterable<DomNode>
  querySelector(selector: string): DomNode | null
}

export const ELEMENT = 1
export const TEXT = 3

/** The markup must be balanced: unclosed elements make the parser slow. */
export function documentOf(head: string, body: string): DomDocument {
  const markup = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
  // The document of the parser has these members.
  return (parseHTML(markup) as unknown as { document: DomDocument }).document
}

export function* childrenOf(node: DomNode): Generator<DomNode> {
  for (let child = node.firstChild; child; child = child.nextSibling) yield child
}
