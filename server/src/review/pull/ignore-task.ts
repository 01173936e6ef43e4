// The paths that some patterns leave out, found on a thread.
import { createRequire } from 'node:module'
import type { Ignore } from 'ignore'

export type IgnoreInput = { readonly paths: readonly string[]; readonly patterns: readonly string[] }

// The package is a CommonJS one whose types and exports are at odds about what is the default.
type CreateIgnore = { (): Ignore; isPathValid(path: string): boolean }
const createIgnore = createRequire(import.meta.url)('ignore') as CreateIgnore

export function run({ paths, patterns }: IgnoreInput): string[] {
  const ignored = createIgnore().add([...patterns])
  return paths.filter((path) => createIgnore.isPathValid(path) && ignored.ignores(path))
}
