// Walking a chain reads all of it, so few walk at a time in this process.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'

const WALKS_OF_ALL_MAX = 2
const RETRY_AFTER_SECONDS = 10

const underWay = new WeakMap<App, Map<string, number>>()

/** One walk of an organisation's chain, and two of all chains; whoever comes while those are under way is sent away. */
export async function withVerifyLimit<T>(
  app: App,
  chain: string | 'all',
  walk: () => Promise<T>,
): Promise<T> {
  const walks = underWay.get(app) ?? new Map<string, number>()
  underWay.set(app, walks)
  const others = walks.get(chain) ?? 0
  if (others >= (chain === 'all' ? WALKS_OF_ALL_MAX : 1))
    throw new ApiError('too_many_attempts', {
      error: 'The log is being verified already; wait until that has ended.',
      retryAfter: RETRY_AFTER_SECONDS,
    })
  walks.set(chain, others + 1)
  try {
    return await walk()
  } finally {
    const left = (walks.get(chain) ?? 1) - 1
    if (left > 0) walks.set(chain, left)
    else walks.delete(chain)
  }
}
