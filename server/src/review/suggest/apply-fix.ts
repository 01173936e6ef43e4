// Replaces whole lines of a file.

export type Fix = {
  readonly startLine: number
  readonly endLine: number
  /** Without the last line break. */
  readonly replacement: string
}

const LINES_MAX = 40
const CHARACTERS_MAX = 8_000

/** Null for a fix that is outside the file, changes nothing, or is too long to read in a comment. */
export function applyFix(content: string, { startLine, endLine, replacement }: Fix): string | null {
  const lines = content.split('\n')
  const isInside = startLine >= 1 && endLine >= startLine && endLine <= lines.length
  const isShort = endLine - startLine < LINES_MAX && replacement.length <= CHARACTERS_MAX
  // Hosts commit a suggestion with the line ends of their choice.
  if (!isInside || !isShort || content.includes('\r') || /[\r\0]/.test(replacement)) return null
  const changed = [
    ...lines.slice(0, startLine - 1),
    ...replacement.split('\n'),
    ...lines.slice(endLine),
  ].join('\n')
  return changed === content ? null : changed
}
