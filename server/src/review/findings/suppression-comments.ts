// Comments that silence a rule are the word of whoever may write to the repository. A stranger's own change cannot bring one,
// and nobody's makes a live secret less live.
import type { ScannedFile, SuppressedFinding } from '@cowrie/analysis/report/finding.ts'
import { isLiveSecret } from './corpus.ts'

type Lines = ReadonlyMap<string, ReadonlySet<number>>

const WORD = 'cowrie-ignore'
/** As long as the word, so that every place in the file stays where it is. */
const VOID = 'cowrie_ignore'
const NAMING = /cowrie-ignore(?=[ \t]+([A-Z][A-Z0-9-]{2,40}))/g

/** Files as they are scanned: with those comments made void that do not count. */
export function disableUntrustedSuppressions(
  files: readonly ScannedFile[],
  added: Lines,
  isUntrusted: boolean,
): ScannedFile[] {
  return files.map(({ path, content }) => {
    if (!content.includes(WORD)) return { path, content }
    const own = isUntrusted ? added.get(path) : undefined
    const lines = content.split('\n').map((line, at) => {
      if (!line.includes(WORD)) return line
      if (own?.has(at + 1)) return line.replaceAll(WORD, VOID)
      return line.replaceAll(NAMING, (word, ruleId: string) => (isLiveSecret({ ruleId }) ? VOID : word))
    })
    return { path, content: lines.join('\n') }
  })
}

const LISTED_MAX = 20
const REASON_MAX = 100

/** Those that have to do with the change, told in a line. */
export function suppressionNotes(suppressed: readonly SuppressedFinding[], added: Lines): string[] {
  const own = suppressed.filter(({ path, line }) => {
    const lines = added.get(path)
    return lines !== undefined && (lines.has(line) || lines.has(line - 1))
  })
  if (own.length === 0) return []
  const named = own
    .slice(0, LISTED_MAX)
    .map(({ ruleId, path, line, reason }) => `${ruleId} in ${path}:${line} (${reason.slice(0, REASON_MAX)})`)
  const more = own.length - named.length
  return [`Silenced by a comment: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]
}
