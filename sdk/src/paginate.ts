// Lists that come in pages, as one.

type Page<K extends string> = { readonly nextCursor: string | null } & {
  readonly [list in K]: readonly unknown[]
}

/**
 * Every item of a list, page after page, each page asked for when it is needed:
 * `for await (const entry of paginate((cursor) => cowrie.wallet.ledger({ cursor }), 'entries'))`.
 */
export async function* paginate<K extends string, P extends Page<K>>(
  ask: (cursor: string | undefined) => Promise<P>,
  list: K,
): AsyncGenerator<P[K][number], void, undefined> {
  const seen = new Set<string>()
  for (let cursor: string | undefined; ; ) {
    const page: P = await ask(cursor)
    const items: readonly P[K][number][] = page[list]
    for (const item of items) yield item
    if (page.nextCursor === null) return
    if (seen.has(page.nextCursor))
      throw new TypeError('the same page came twice; does the call send the cursor that it was given?')
    seen.add(page.nextCursor)
    cursor = page.nextCursor
  }
}
