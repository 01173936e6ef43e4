// Finds the real lines that a model may have meant when its FIND does not match. They are only shown to the model:
// similar lines are often a duplicate of the intended ones, so editing them would be a guess.
import { similarity, tokensOf } from './match/similarity.ts'

const WINDOWS_MAX = 12
const LINES_MAX = 60
const CHARS_MAX = 4_000
/** Longer files are not searched, and longer lines are compared by their beginning. */
const FILE_LINES_MAX = 6_000
const LINE_CHARS_MAX = 200
/** Below this similarity the lines are not worth showing. */
const LIKENESS_MIN = 0.5

/** At most LINES_MAX lines of the file, or undefined when nothing is similar. */
export function findClosestLines(lines: readonly string[], find: readonly string[]): string | undefined {
  const quoted = find
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_MAX)
    .map(shorten)
  if (quoted.length === 0 || lines.length === 0 || lines.length > FILE_LINES_MAX) return undefined
  const best = findCandidateStarts(lines, quoted)
    .map((start) => ({
      start,
      score: similarity(lines.slice(start, start + quoted.length).map(shorten), quoted),
    }))
    .sort((a, b) => b.score - a.score || a.start - b.start)[0]
  if (!best || best.score < LIKENESS_MIN) return undefined
  return lines
    .slice(best.start, best.start + Math.min(find.length + 2, LINES_MAX))
    .join('\n')
    .slice(0, CHARS_MAX)
}

/** An existing path with the same file name. */
export function findClosestPath(paths: Iterable<string>, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase()
  return [...paths].filter((each) => each.split('/').at(-1)?.toLowerCase() === name).sort()[0]
}

const shorten = (line: string): string => line.slice(0, LINE_CHARS_MAX)

/** Start positions of the windows that share the most tokens with FIND. */
function findCandidateStarts(lines: readonly string[], quoted: readonly string[]): number[] {
  const tokens = new Set(quoted.flatMap(tokensOf))
  const shares = lines.map((line) => {
    const lineTokens = tokensOf(shorten(line))
    return lineTokens.length === 0
      ? 0
      : lineTokens.filter((token) => tokens.has(token)).length / lineTokens.length
  })
  const scores: { start: number; score: number }[] = []
  let score = 0
  for (let at = 0; at < lines.length; at++) {
    score += (shares[at] ?? 0) - (shares[at - quoted.length] ?? 0)
    scores.push({ start: Math.max(0, at - quoted.length + 1), score })
  }
  return scores
    .sort((a, b) => b.score - a.score)
    .slice(0, WINDOWS_MAX)
    .map(({ start }) => start)
}
