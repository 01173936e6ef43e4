// SEARCH and REPLACE below the name of a file, with or without fences around them.
import type { Block, BrokenBlock, Hunk } from './envelope.ts'
import { pathAbove } from './foreign-fences.ts'
import { conflictFrom, isSearchMark } from './loose-change.ts'
import { isFence } from './quoted-text.ts'

export type ConflictAnswer = { blocks: Block[]; broken: BrokenBlock[]; prose: string }

export function readConflicts(all: readonly string[]): ConflictAnswer {
  const answer: ConflictAnswer = { blocks: [], broken: [], prose: '' }
  const lines = withoutOuterFences(all)
  const prose: string[] = []
  let path: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (!isSearchMark(line)) {
      prose.push(line)
      continue
    }
    path = pathAbove(lines, at) ?? path
    const { end, hunk } = conflictFrom(lines, at)
    if (path === undefined) return { blocks: [], broken: [], prose: '' }
    if (hunk) answer.blocks.push(blockOf(path, hunk))
    else answer.broken.push({ path, reason: end < 0 ? 'cut_off' : 'damaged' })
    if (end < 0) break
    at = end
  }
  return { ...answer, prose: prose.join('\n') }
}

/** Nothing to look for is a new file. */
const blockOf = (path: string, hunk: Hunk): Block =>
  hunk.find.trim() === ''
    ? { path, action: 'create', why: '', change: { kind: 'body', body: `${hunk.with}\n`, isGuess: true } }
    : { path, action: 'update', why: '', change: { kind: 'hunks', hunks: [hunk] } }

/** Fences stand around the changes, never between their marks: there they belong to the text. */
function withoutOuterFences(lines: readonly string[]): string[] {
  const kept: string[] = []
  // Where one change has no end, none below it has one.
  let isEndless = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const isSearch = isSearchMark(line)
    const end: number = isSearch && !isEndless ? conflictFrom(lines, at).end : -1
    isEndless ||= isSearch && end < 0
    for (const each of lines.slice(at, end < 0 ? at + 1 : end + 1))
      if (end >= 0 || !isFence(each)) kept.push(each)
    if (end >= 0) at = end
  }
  return kept
}
