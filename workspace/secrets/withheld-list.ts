// The list of everything that was withheld from the model: one entry per line, and few of them.
import type { SecretRange } from './placeholders.ts'
import type { SecretSpan, Withheld } from './secret-span.ts'

/** A text with more secret lines gets one entry. */
const LINES_NAMED_MAX = 5
const ENTRIES_MAX = 500
const REPEATED_REASON = 'value of a secret in another file'

export type WithheldList = {
  readonly entries: readonly Withheld[]
  add(path: string, entries: readonly Withheld[]): void
  /** The entries of a file. The list names each file once, because later edits move its lines. */
  addRanges(
    path: string,
    text: string,
    ranges: readonly SecretRange[],
    spans: readonly SecretSpan[],
  ): Withheld[]
  /** The entries of a text that is not a file: its lines have no numbers that a reader could look up. */
  addReasons(name: string, ranges: readonly SecretRange[], spans: readonly SecretSpan[]): Withheld[]
}

export function createWithheldList(): WithheldList {
  const entries = new Map<string, Withheld>()
  const paths = new Set<string>()
  function add(path: string, added: readonly Withheld[]): void {
    if (added.length > 0) paths.add(path)
    for (const entry of added)
      if (entries.size < ENTRIES_MAX) entries.set(`${path} ${entry.line ?? ''} ${entry.reason}`, entry)
  }
  return {
    get entries() {
      return [...entries.values()]
    },
    add,
    addRanges(path, text, ranges, spans) {
      // A secret of several lines is one entry.
      const lines = new Map(spans.map(({ line, reason }) => [line, reason]))
      const repeated = ranges.filter(({ start }) => reasonAt(spans, start) === REPEATED_REASON)
      for (const line of linesOf(text, repeated)) if (!lines.has(line)) lines.set(line, REPEATED_REASON)
      const found =
        lines.size > LINES_NAMED_MAX
          ? [{ path, reason: `${lines.size} lines with secrets` }]
          : [...lines].map(([line, reason]) => ({ path, line, reason }))
      if (!paths.has(path)) add(path, found)
      return found
    },
    addReasons(name, ranges, spans) {
      const reasons = new Set(ranges.map(({ start }) => reasonAt(spans, start)))
      const found = [...reasons].map((reason) => ({ path: name, reason }))
      add(name, found)
      return found
    },
  }
}

const reasonAt = (spans: readonly SecretSpan[], at: number): string =>
  spans.find(({ start, end }) => start <= at && at < end)?.reason ?? REPEATED_REASON

function linesOf(text: string, ranges: readonly SecretRange[]): number[] {
  let line = 1
  let at = 0
  return ranges.map(({ start }) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < start; next = text.indexOf('\n', at)) {
      line += 1
      at = next + 1
    }
    return line
  })
}
