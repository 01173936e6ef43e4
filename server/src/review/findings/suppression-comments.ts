// Suppression comments count only if a person with write access added them. A change from a fork cannot add one, and no comment
// suppresses a live secret.
import type { ScannedFile, SuppressedFinding } from '@cowrie/analysis/report/finding.ts'
import { isLiveSecret } from './corpus.ts'

type Lines = ReadonlyMap<string, ReadonlySet<number>>

const KEYWORD = 'cowrie-ignore'
/** The same length as the keyword, so that all positions in the file stay the same. */
const DISABLED_KEYWORD = 'cowrie_ignore'
const KEYWORD_WITH_RULE = /cowrie-ignore(?=[ \t]+([A-Z][A-Z0-9-]{2,40}))/g

/** Returns the files with invalid suppression comments disabled. */
export function disableUntrustedSuppressions(
  files: readonly ScannedFile[],
  added: Lines,
  isUntrusted: boolean,
): ScannedFile[] {
  return files.map(({ path, content }) => {
    if (!content.includes(KEYWORD)) return { path, content }
    const addedLines = isUntrusted ? added.get(path) : undefined
    const lines = content.split('\n').map((line, at) => {
      if (!line.includes(KEYWORD)) return line
      if (addedLines?.has(at + 1)) return line.replaceAll(KEYWORD, DISABLED_KEYWORD)
      return line.replaceAll(KEYWORD_WITH_RULE, (word, ruleId: string) =>
        isLiveSecret({ ruleId }) ? DISABLED_KEYWORD : word,
      )
    })
    return { path, content: lines.join('\n') }
  })
}

const LISTED_MAX = 20
const REASON_MAX = 100

/** A note that lists the suppressed findings on changed lines. */
export function suppressionNotes(suppressed: readonly SuppressedFinding[], added: Lines): string[] {
  const addedLines = suppressed.filter(({ path, line }) => {
    const lines = added.get(path)
    return lines !== undefined && (lines.has(line) || lines.has(line - 1))
  })
  if (addedLines.length === 0) return []
  const named = addedLines
    .slice(0, LISTED_MAX)
    .map(({ ruleId, path, line, reason }) => `${ruleId} in ${path}:${line} (${reason.slice(0, REASON_MAX)})`)
  const more = addedLines.length - named.length
  return [`Suppressed by a comment: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`]
}
