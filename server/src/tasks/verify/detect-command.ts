// The test command of a turn: that of the caller, else that of the repository before the turn.
import { detectTestCommand as detect, type SandboxTree } from '../../sandbox/sandbox.ts'
import { openTree } from './tree-files.ts'

export async function detectTestCommand(
  tree: SandboxTree,
): Promise<{ readonly command: string; readonly from: string } | null> {
  return detectIn(tree)
}

/**
 * A turn that adds the first tests has no command before. Then a standard one counts, but no script that the turn itself
 * has written.
 */
export async function detectTurnCommand(before: SandboxTree, after: SandboxTree): Promise<string | null> {
  const own = await detectIn(before)
  if (own !== null) return own.command
  const added = await detectIn(after)
  return added === null || added.isProjectScript ? null : added.command
}

async function detectIn(tree: SandboxTree) {
  const { paths, read } = await openTree(tree)
  return detect({ paths, read: async (path) => (await read(path))?.toString('utf8') ?? null })
}
