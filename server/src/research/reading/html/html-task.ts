// Reads a web page on a thread of its own.
import { Readability } from '@mozilla/readability'
import { decode } from '../charset.ts'
import { createSnapshot, type PageSnapshot, type UnreadablePage } from '../snapshot.ts'
import { detectWall } from './access-walls.ts'
import { type DomDocument, type DomNode, documentOf } from './dom.ts'
import { readMetadata } from './page-metadata.ts'
import { prune } from './prune.ts'
import { countProse, toPlainText } from './text-blocks.ts'

export type HtmlInput = {
  readonly bytes: Uint8Array
  readonly charset: string | null
  readonly isXml: boolean
  /** Take the page whole instead of looking for its article, which is what takes time. */
  readonly isWhole: boolean
}

/** Fewer letters than this are the shell of an application, or an error. */
const LETTERS_MIN = 20
/** An article that is less than this share of a page's prose leaves out too much of it. */
const ARTICLE_SHARE_MIN = 0.5
/** A page with less prose than this is taken whole: there is little to leave out, and manuals and lists lose their parts. */
const ARTICLE_PAGE_MIN = 1_500
/** Finding the article takes several passes over the page; a larger one is taken whole. */
const ARTICLE_NODES_MAX = 6_000

export function run({ bytes, charset, isXml, isWhole }: HtmlInput): PageSnapshot | UnreadablePage {
  const pruned = prune(decode(bytes, charset), isXml)
  const document = documentOf(pruned.head, pruned.body)
  const facts = readMetadata(document, pruned)
  const whole = { text: toPlainText(document.body), length: countProse(document.body) }
  const isSought = !isWhole && whole.length >= ARTICLE_PAGE_MIN && pruned.nodes <= ARTICLE_NODES_MAX
  const article = isSought ? findArticle(document) : null
  const isArticle = article && countProse(article) >= whole.length * ARTICLE_SHARE_MIN
  const snapshot = createSnapshot({
    ...facts,
    text: isArticle ? toPlainText(article) : whole.text,
    isCut: pruned.isCut,
  })
  // Nothing was found before reading was given up: that is no empty page.
  if ('reason' in snapshot) return pruned.isCut ? { reason: 'unreadable' } : snapshot
  const wall = detectWall(snapshot.text, snapshot.title, facts.isForSubscribers)
  if (wall) return { reason: wall }
  return (snapshot.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < LETTERS_MIN ? { reason: 'empty' } : snapshot
}

/** Takes the document apart. Null when there is no article, or when looking for one failed over the page's markup. */
function findArticle(document: DomDocument): DomNode | null {
  try {
    // Its types are those of a browser; the parser's document has what it uses.
    const reader = new Readability<DomNode>(document as never, {
      disableJSONLD: true,
      // What it finds stays a tree.
      serializer: (node) => node as DomNode,
    })
    return reader.parse()?.content ?? null
  } catch {
    return null
  }
}
