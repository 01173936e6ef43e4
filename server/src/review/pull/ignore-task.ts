// Worker task: the paths that match ignore patterns.
import { createRequire } from 'node:module'
import type { Ignore } from 'ignore'

export type IgnoreInput = { readonly paths: readonly string[]; readonly patterns: readonly string[] }

// The types of this CommonJS package do not match its default export.
type CreateIgnore = { (): Ignore; isPathValid(path: string): boolean }
const createIgnore = createRequire(import.meta.url)('ignore') as CreateIgnore

export function run({ paths, patterns }: IgnoreInput): string[] {
  const ignored = createIgnore().add([...patterns])
  return paths.filter((path) => createIgnore.isPathValid(path) && ignored.ignores(path))
}
