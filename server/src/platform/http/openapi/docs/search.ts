// The search over all pages. The same index serves the script of the page and the page without a script.
import { type Document, type ListedOperation, operationsByTag } from './document.ts'
import { GUIDE_NAMES, GUIDE_TITLES, QUICKSTART, readGuide } from './guides.ts'
import { ERRORS_PATH, refusalId } from './operation.ts'

/** Address below /docs, title, and further words to find it by. */
export type SearchEntry = readonly [address: string, title: string, words: string]
export type ErrorEntry = { readonly code: string; readonly status: string; readonly text: string }

const FOUND_MAX = 60

export function searchIndex(
  document: Document,
  addressOf: (listed: ListedOperation) => string,
  errors: readonly ErrorEntry[],
): SearchEntry[] {
  const guides = [QUICKSTART, ...GUIDE_NAMES].flatMap((name): SearchEntry[] => {
    const page = name === QUICKSTART ? '' : `/guides/${name}`
    const title = name === QUICKSTART ? 'Quickstart' : GUIDE_TITLES[name as keyof typeof GUIDE_TITLES].en
    const headings = readGuide(name, '').filter((block) => block.kind === 'heading')
    return headings.map(({ level, text, id }) =>
      level === 1 ? [page, title, text] : [`${page}#${id}`, text, title],
    )
  })
  const operations = operationsByTag(document).flatMap(({ operations: listed }) =>
    listed.map((each): SearchEntry => {
      const { method, path, operation } = each
      return [
        addressOf(each).slice('/docs'.length),
        operation.summary,
        `${method} ${path} ${operation.operationId}`,
      ]
    }),
  )
  const codes = errors.map(
    ({ code, status, text }): SearchEntry => [
      `${ERRORS_PATH.slice('/docs'.length)}#${refusalId(code)}`,
      `${status} ${code}`,
      text,
    ],
  )
  return [...guides, ...operations, ...codes]
}

export function findEntries(index: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query.toLowerCase().slice(0, 200).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const matches = ([, title, more]: SearchEntry): boolean => {
    const text = `${title} ${more}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return index.filter(matches).slice(0, FOUND_MAX)
}
