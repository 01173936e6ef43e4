// Splits the diff of a pull request into its files.

import { countChanges } from './patch-lines.ts'
import type { ChangedFile } from './types.ts'

export function splitDiff(diff: string): ChangedFile[] {
  return diff
    .split(/\n(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .flatMap((part) => {
      const file = toChangedFile(part.replace(/\n$/, '').split('\n'))
      return file ? [file] : []
    })
}

function toChangedFile(lines: readonly string[]): ChangedFile | null {
  const start = lines.findIndex((line) => line.startsWith('@@ '))
  const head = start < 0 ? lines : lines.slice(0, start)
  const patch = start < 0 ? undefined : lines.slice(start).join('\n')
  const [older, newer] = [pathIn(head, '--- ', 'a/'), pathIn(head, '+++ ', 'b/')]
  const renamed = headerOf(head, 'rename to ')
  const filename = newer ?? (renamed === null ? null : unquote(renamed)) ?? older ?? namedTwice(head[0] ?? '')
  if (!filename) return null
  const status =
    headerOf(head, 'deleted file mode ') !== null
      ? 'removed'
      : headerOf(head, 'new file mode ') !== null
        ? 'added'
        : renamed === null
          ? 'modified'
          : 'renamed'
  // A renamed file without a patch can be a changed binary file.
  const isSame = status !== 'renamed' || headerOf(head, 'similarity index ') === '100%'
  return {
    filename,
    status,
    changes: patch === undefined ? Number(!isSame) : countChanges(patch),
    ...(patch !== undefined && { patch }),
  }
}

const headerOf = (head: readonly string[], name: string): string | null =>
  head.find((line) => line.startsWith(name))?.slice(name.length) ?? null

function pathIn(head: readonly string[], mark: string, prefix: string): string | null {
  const path = unquote((headerOf(head, mark) ?? '/dev/null').replace(/\t.*$/, ''))
  return path.startsWith(prefix) ? path.slice(prefix.length) : null
}

/** The path of a binary file is only in the first line, twice. */
function namedTwice(first: string): string | null {
  const names = first.slice('diff --git '.length)
  const half = names.slice(0, (names.length - 1) / 2)
  return names === `${half} ${half.replace(/^("?)a\//, '$1b/')}` ? unquote(half).slice(2) : null
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

/** git quotes paths with special characters and writes them as octal bytes. */
function unquote(path: string): string {
  if (!/^".*"$/s.test(path)) return path
  const parts = path.slice(1, -1).matchAll(/\\([0-3][0-7]{2})|\\(.)|([^\\]+)/gs)
  const bytes = Array.from(parts, ([, octal, escaped, plain]) =>
    octal === undefined
      ? Buffer.from(plain ?? ESCAPES[escaped ?? ''] ?? escaped ?? '')
      : Buffer.of(Number.parseInt(octal, 8)),
  )
  return Buffer.concat(bytes).toString('utf8')
}
