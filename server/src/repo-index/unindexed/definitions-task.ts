// Worker task: finds the definitions of a name in files that are not indexed.
import { isThreadUnusable } from '@cowrie/analysis/syntax/parser-crash.ts'
import { findDefinitions } from '../chunking/definitions.ts'
import type { SentFile } from '../filter/skip-reason.ts'

export type DefinitionsInput = { readonly files: readonly SentFile[]; readonly name: string }

export type FoundDefinition = {
  readonly path: string
  readonly line: number
  readonly endLine: number
  readonly kind: string
  readonly symbol: string
  /** Enclosing classes, outermost first. */
  readonly scope: string
}

export type DefinitionsOutput = {
  readonly definitions: readonly FoundDefinition[]
  /** Files that were not read, because time ran out. */
  readonly filesLeft: number
}

const TASK_MS = 3_000
const DEFINITIONS_MAX = 500

/** `name` can have a scope: `Wallet.settle`. Exact names in that scope first. */
export async function run({ files, name }: DefinitionsInput): Promise<DefinitionsOutput> {
  const endMs = performance.now() + TASK_MS
  const parts = name.split(/\.|::|#|->/).filter((part) => part !== '')
  const last = parts.at(-1) ?? ''
  const outer = parts.at(-2)?.toLowerCase()
  const found: (FoundDefinition & { rank: number })[] = []
  let filesLeft = files.length
  for (const { path, content } of files) {
    if (performance.now() > endMs || isThreadUnusable() || found.length >= DEFINITIONS_MAX) break
    filesLeft -= 1
    for (const definition of await findDefinitions(path, content)) {
      const rank = rankOf(definition.symbol, last)
      // Some languages define members outside of their class, so the scope only decides the order.
      const isOutside = outer !== undefined && !definition.scope.toLowerCase().includes(outer)
      if (rank !== undefined) found.push({ path, ...definition, rank: rank + (isOutside ? 2 : 0) })
    }
  }
  const sorted = found.sort((a, b) => a.rank - b.rank)
  return { definitions: sorted.map(({ rank: _, ...definition }) => definition), filesLeft }
}

/** A symbol may be qualified: `module.exports.parse`. */
function rankOf(symbol: string, name: string): number | undefined {
  const own = symbol.split(/[^\p{L}\p{N}_$]+/u).at(-1) ?? ''
  if (own === name || symbol === name) return 0
  return own.toLowerCase() === name.toLowerCase() ? 1 : undefined
}
