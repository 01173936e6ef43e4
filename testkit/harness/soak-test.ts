import { test } from 'vitest'
import { isSoak } from './soak.ts'

/** A test that only the soak runs. Its file is listed in soak-list.ts. */
export const soakTest: typeof test = isSoak ? test : silenced()

/** Accepts every call and property of `test` and registers nothing. */
function silenced(): typeof test {
  const nothing: unknown = new Proxy(() => nothing, { get: () => nothing })
  return nothing as typeof test
}
