// Reads the lists of a provider as one sequence of pages: payments, then refunds, then disputes.
import type { ListedItem, ListPage } from './rail.ts'

export type ListSection = {
  readonly kind: ListedItem['kind']
  /** Null when the row has an unknown shape. */
  read(row: unknown): ListedItem | null
}

/** `pages` is null where the provider does not report it: then the last page is the first one that is not full. */
export type RawPage = {
  readonly rows: readonly unknown[]
  readonly total: number | null
  readonly pages: number | null
}

export const LIST_PAGE_ROWS = 100
const PAGES_MAX = 20_000

/** `fetch` returns a page of a section, or the reason of a failure. */
export async function readListPage<Section extends ListSection>(
  sections: readonly Section[],
  cursor: string | null,
  fetch: (section: Section, page: number) => Promise<RawPage | string>,
): Promise<ListPage> {
  const { index, page } = parseCursor(sections, cursor)
  const section = sections[index]
  if (!section || page > PAGES_MAX)
    return { status: 'unknown', reason: 'The list has more pages than we read.' }
  const raw = await fetch(section, page)
  if (typeof raw === 'string') return { status: 'unknown', reason: raw }
  const items = raw.rows.map((row) => storable(section.read(row)))
  const readable = items.filter((item) => item !== null)
  if (readable.length < items.length)
    return { status: 'unknown', reason: `The list of ${section.kind}s has a row that we cannot read.` }
  const isLast = raw.pages === null ? raw.rows.length < LIST_PAGE_ROWS : page >= raw.pages
  const following = sections[index + 1]
  const next = isLast ? following && `${following.kind} 1` : `${section.kind} ${page + 1}`
  return { status: 'known', kind: section.kind, items: readable, total: raw.total, next: next ?? null }
}

const ID = /^[\x21-\x7e]{1,100}$/
const INT64_MAX = 2n ** 63n - 1n
const LAST_YEAR = 2999

/** An item as the database can store it. One row must not stop a whole list, so values that mean nothing to us are left out. */
function storable(item: ListedItem | null): ListedItem | null {
  if (item === null || !ID.test(item.id) || !ID.test(item.transactionId ?? item.id)) return null
  const { reference, currency, amountMinor, feeMinor, at } = item
  const year = at.getUTCFullYear()
  return {
    ...item,
    // Ours have this form.
    reference: reference !== null && ID.test(reference) ? reference : null,
    currency: currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : null,
    amountMinor: isInt64(amountMinor) ? amountMinor : null,
    feeMinor: isInt64(feeMinor) ? feeMinor : null,
    at: year >= 1970 && year <= LAST_YEAR ? at : new Date(0),
  }
}

const isInt64 = (minor: bigint | null): boolean => minor !== null && minor <= INT64_MAX && minor >= -INT64_MAX

function parseCursor(sections: readonly ListSection[], cursor: string | null) {
  if (cursor === null) return { index: 0, page: 1 }
  const [kind, page] = cursor.split(' ')
  return { index: sections.findIndex((each) => each.kind === kind), page: Number(page) }
}
