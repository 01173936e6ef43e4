// Reads a ledger page by page.

export type Page = { readonly movements: readonly unknown[]; readonly nextAfter: number | null }

/** Throws for a page that does not lead further, which a faulty service could send for ever. */
export async function* readPages(fetchPage: (after: number) => Promise<Page>): AsyncGenerator {
  for (let after: number | null = 0; after !== null; ) {
    const { movements, nextAfter }: Page = await fetchPage(after)
    yield* movements
    if (nextAfter !== null && (movements.length === 0 || !(nextAfter > after)))
      throw new Error(`The service sent a page of postings after ${after} that does not continue.`)
    after = nextAfter
  }
}
