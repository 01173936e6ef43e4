// The lines of a patch that starts at its first hunk.

/** The old number of each unchanged line, by its new number. Added lines are absent. */
export function unchangedLines(patch: string): Map<number, number> {
  const lines = new Map<number, number>()
  let [older, newer] = [0, 0]
  for (const text of patch.split('\n')) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(text)
    if (head) [older, newer] = [Number(head[1]), Number(head[2])]
    else if (text.startsWith('+')) newer++
    else if (text.startsWith('-')) older++
    else if (text.startsWith(' ')) lines.set(newer++, older++)
  }
  return lines
}

export const countChanges = (patch: string): number =>
  patch.split('\n').filter((line) => line.startsWith('+') || line.startsWith('-')).length
