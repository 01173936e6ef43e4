// Collects paginated lists.
import { textOf, type Values } from '../command.ts'
import { UsageError } from '../errors.ts'

const PAGE_MAX = 200
const LIMIT_MAX = 10_000

export type Page<T> = { readonly items: readonly T[]; readonly nextCursor: string | null }

/** Fetches up to `limit` items. The cursor points to the rest; null when there is none. */
export async function collectPages<T>(
  limit: number,
  fetch: (query: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
): Promise<{ items: T[]; nextCursor: string | null }> {
  const items: T[] = []
  let cursor: string | undefined
  for (;;) {
    const page = await fetch({ limit: Math.min(PAGE_MAX, limit - items.length), cursor })
    items.push(...page.items)
    // An empty page makes no progress.
    if (page.nextCursor === null || page.items.length === 0 || items.length >= limit)
      return { items, nextCursor: page.nextCursor }
    cursor = page.nextCursor
  }
}

export const LIMIT_OPTION = {
  limit: { type: 'string', placeholder: '<n>', summary: 'How many to show. Default: 20.' },
} as const

export function limitOf(values: Values, fallback = 20): number {
  const text = textOf(values, 'limit')
  if (text === undefined) return fallback
  const limit = Number(text)
  if (!/^\d{1,5}$/.test(text) || limit < 1 || limit > LIMIT_MAX)
    throw new UsageError(`--limit must be a number from 1 to ${LIMIT_MAX}.`)
  return limit
}
