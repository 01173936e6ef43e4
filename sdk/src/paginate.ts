// Reads all pages of a list.

type Page<K extends string> = { readonly nextCursor: string | null } & {
  readonly [list in K]: readonly unknown[]
}

/**
 * Yields every item of a list and requests each page when it is needed:
 * `for await (const entry of paginate((cursor) => cowrie.wallet.ledger({ cursor }), 'entries'))`.
 */
export async function* paginate<K extends string, P extends Page<K>>(
  fetchPage: (cursor: string | undefined) => Promise<P>,
  list: K,
): AsyncGenerator<P[K][number], void, undefined> {
  const seen = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const page: P = await fetchPage(cursor)
    const items: readonly P[K][number][] = page[list]
    for (const item of items) yield item
    if (page.nextCursor === null) return
    if (seen.has(page.nextCursor))
      throw new TypeError('The same page came twice. Pass the cursor to the call.')
    seen.add(page.nextCursor)
    cursor = page.nextCursor
  }
}
