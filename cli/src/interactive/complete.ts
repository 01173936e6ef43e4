// Completion of slash commands at the start of a message, and of files after "@".
import type { Context } from '../command.ts'
import { listFolder, listRepository } from '../context/list-files.ts'
import type { Suggestion } from '../terminal/screen-types.ts'
import { SLASH_COMMANDS } from './slash/table.ts'

const SUGGESTIONS_MAX = 50
/** A list of files is read again after this time. */
const FRESH_MS = 10_000

/** `typed` is the word before the cursor, which a suggestion replaces. */
export function createCompletion(
  context: Pick<Context, 'paths' | 'config' | 'env' | 'signal' | 'machine'>,
  root: string,
): (typed: string) => Promise<readonly Suggestion[]> {
  let files: { readonly atMs: number; readonly paths: Promise<readonly string[]> } | null = null
  const listed = (): Promise<readonly string[]> => {
    const nowMs = context.machine.nowMs()
    if (!files || nowMs - files.atMs > FRESH_MS) {
      const paths = listing(context, root).then(
        (found) => found.map(({ path }) => path),
        () => [],
      )
      files = { atMs: nowMs, paths }
    }
    return files.paths
  }
  return async (typed) => {
    if (typed.startsWith('/')) return slashSuggestions(typed)
    return typed.startsWith('@') ? fileSuggestions(await listed(), typed.slice(1)) : []
  }
}

async function listing(context: Pick<Context, 'paths' | 'config' | 'env' | 'signal'>, root: string) {
  return (await listRepository(context))?.files ?? (await listFolder(root, context)).files
}

const slashSuggestions = (typed: string): Suggestion[] =>
  SLASH_COMMANDS.filter(({ name }) => `/${name}`.startsWith(typed)).map(({ name, summary }) => ({
    text: `/${name}`,
    label: summary,
  }))

/** Paths that start so come first, then paths with such a file name, then paths that contain it. */
export function fileSuggestions(paths: readonly string[], begin: string): Suggestion[] {
  const wanted = begin.toLowerCase()
  const rank = (path: string): number => {
    const lower = path.toLowerCase()
    if (lower.startsWith(wanted)) return 0
    if (lower.slice(lower.lastIndexOf('/') + 1).startsWith(wanted)) return 1
    return lower.includes(wanted) ? 2 : 3
  }
  return paths
    .map((path) => ({ path, rank: rank(path) }))
    .filter((each) => each.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length)
    .slice(0, SUGGESTIONS_MAX)
    .map(({ path }) => ({ text: /[\s"]/.test(path) ? `@"${path}"` : `@${path}` }))
}
