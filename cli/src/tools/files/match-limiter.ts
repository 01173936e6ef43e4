// Stops a regular expression that takes too long. A model or a file can contain one that would run for years.
import { createContext, Script } from 'node:vm'
import type { MatchLimiter } from '@cowrie/workspace/search/scan.ts'

export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout'
}

const CALL = new Script('result = match()')

/** All matches together may take this long. */
export function createMatchLimiter(msMax: number): MatchLimiter {
  const sandbox: { match?: () => unknown; result?: unknown } = {}
  const context = createContext(sandbox)
  let msLeft = msMax
  return <T>(match: () => T): T => {
    if (msLeft < 1) throw new SearchTimeout()
    const startedMs = performance.now()
    sandbox.match = match
    try {
      CALL.runInContext(context, { timeout: Math.ceil(msLeft) })
      return sandbox.result as T
    } catch (error) {
      const isLate = (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      throw isLate ? new SearchTimeout() : error
    } finally {
      sandbox.result = undefined
      msLeft -= performance.now() - startedMs
    }
  }
}
