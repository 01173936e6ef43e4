// Identifies a conversation by its beginning, which stays the same in every later request.

const CHARACTERS_MAX = 4_096

/** The cache key of the client, or the first messages. */
export const stickyKeyOf = (cacheKey: unknown, ...beginning: readonly unknown[]): string =>
  typeof cacheKey === 'string' && cacheKey !== '' ? cacheKey : beginning.map(beginningOf).join(' ')

const beginningOf = (items: unknown): string =>
  (JSON.stringify(Array.isArray(items) ? items.slice(0, 2) : items) ?? '').slice(0, CHARACTERS_MAX)
