// Finds code in a change that could fake a passing test run: ending the process, printing a report, or replacing the
// test runner. It catches careless changes, not determined attackers.

import { listChanges, type ProjectFiles } from './project-files.ts'
import { TAMPERING_PATTERNS } from './tamper-patterns.ts'
import { isTest } from './test-files.ts'

export type TamperOptions = {
  /** All paths that differ; found by comparison if not given. */
  readonly changes?: readonly string[]
  /** The runner imports the program, so that code for a separate start does not run. */
  readonly isImported?: boolean
}

/** Why the tests prove nothing after this change, or null. Only added matches outside of tests count. */
export function findTampering(
  base: ProjectFiles,
  now: ProjectFiles,
  { changes = listChanges(base, now), isImported = false }: TamperOptions = {},
): string | null {
  for (const path of changes) {
    const after = now.get(path)
    if (after === undefined || isTest(path) || TEXT.test(path)) continue
    const [before, written] = changedPart(base.get(path) ?? '', after)
    for (const { patterns, says } of TAMPERING_PATTERNS) {
      const word = findAddedMatch(patterns, before, isImported ? dropEntryPoint(path, written) : written)
      if (word !== null) return `${path} has "${word}" now: ${says}`
    }
  }
  return null
}

const TEXT = /\.(md|markdown|txt|rst|adoc|csv|tsv|json|lock|log|svg|ya?ml|toml)$/i
const SHOWN_CHARACTERS = 60

/** Drops the common beginning and end: most of a large file is unchanged. */
function changedPart(before: string, after: string): [string, string] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  // A match may span several lines, so keep some context.
  const from = Math.max(0, after.lastIndexOf('\n', Math.max(0, start - NEIGHBOURS)))
  const left = Math.max(0, end - NEIGHBOURS)
  return [before.slice(from, before.length - left), after.slice(from, after.length - left)]
}

const NEIGHBOURS = 400

/** Python and Go run this code only when the file itself is started. */
function dropEntryPoint(path: string, text: string): string {
  if (path.endsWith('.py'))
    return text.replace(
      /^if __name__ == ['"]__main__['"]:[^\n]{0,500}(\n[ \t]+[^\n]{0,500}|\n(?=\n)){0,100}/m,
      '',
    )
  return path.endsWith('.go') ? text.replace(/^func main\(\) \{[\s\S]{0,20000}?^\}/m, '') : text
}

/** The first match that occurs more often than before. */
function findAddedMatch(patterns: readonly RegExp[], before: string, after: string): string | null {
  for (const pattern of patterns) {
    const known = new Map<string, number>()
    for (const [word] of before.matchAll(pattern))
      known.set(collapseBlanks(word), (known.get(collapseBlanks(word)) ?? 0) + 1)
    for (const { 0: word, index } of after.matchAll(pattern)) {
      const left = known.get(collapseBlanks(word)) ?? 0
      if (left === 0) return lineAt(after, index + word.length - 1)
      known.set(collapseBlanks(word), left - 1)
    }
  }
  return null
}

function lineAt(text: string, index: number): string {
  const start = text.lastIndexOf('\n', index) + 1
  return (
    text
      .slice(Math.max(start, index - SHOWN_CHARACTERS), index + SHOWN_CHARACTERS)
      .split('\n')[0]
      ?.trim() ?? ''
  )
}

const collapseBlanks = (word: string): string => word.replace(/\s+/g, ' ').trim()
