// Reads a web page on a worker thread.
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
  /** Reads the whole page, without the slow search for its article. */
  readonly isWhole: boolean
}

/** Fewer letters mean an application shell or an error page. */
const LETTERS_MIN = 20
/** An article below this share of the prose leaves out too much. */
const ARTICLE_SHARE_MIN = 0.5
/** Shorter pages are read whole: there is little to remove, and manuals and lists would lose parts. */
const ARTICLE_PAGE_MIN = 1_500
/** The search for the article makes several passes, so larger pages are read whole. */
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
  // Reading stopped before any text was found, so the page is not known to be empty.
  if ('reason' in snapshot) return pruned.isCut ? { reason: 'unreadable' } : snapshot
  const wall = detectWall(snapshot.text, snapshot.title, facts.isForSubscribers)
  if (wall) return { reason: wall }
  return (snapshot.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < LETTERS_MIN ? { reason: 'empty' } : snapshot
}

/** Modifies the document. Null if there is no article, or if the markup makes the search fail. */
function findArticle(document: DomDocument): DomNode | null {
  try {
    // Its types need the browser library; the document of the parser has the members that it uses.
    const reader = new Readability<DomNode>(document as never, {
      disableJSONLD: true,
      // Keeps the result as a tree.
      serializer: (node) => node as DomNode,
    })
    return reader.parse()?.content ?? null
  } catch {
    return null
  }
}
