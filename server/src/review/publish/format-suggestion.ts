// Formats a change that people can commit from the comment.
import type { ForgeKind } from '../../forge/forge.ts'
import { formatCode, formatCodeBlock } from '../../github/github.ts'

/** A replacement of whole lines that was applied and tested. */
export type Suggestion = {
  readonly startLine: number
  readonly endLine: number
  /** Without the last line break. */
  readonly replacement: string
  readonly by: 'rule' | 'model'
  /** The command that passed with the change applied. */
  readonly command: string
}

/** `line` is the line of the comment; it is between the first and the last line of the change. */
export function formatSuggestion(
  { startLine, endLine, replacement, command }: Suggestion,
  line: number,
  kind: ForgeKind,
): string {
  const label = `**Suggested change.** Applied to this commit, it removes the finding, and ${formatCode(command)} passes.`
  return `${label}\n\n${formatCodeBlock(replacement, infoOf[kind](line - startLine, endLine - line))}`
}

/** Bitbucket has no blocks that can be committed. */
const infoOf: Readonly<Record<ForgeKind, (before: number, after: number) => string>> = {
  github: () => 'suggestion',
  gitlab: (before, after) => `suggestion:-${before}+${after}`,
  bitbucket: () => '',
}
