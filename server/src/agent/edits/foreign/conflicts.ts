// Reads SEARCH and REPLACE blocks below a file name, with or without fences around them.
import type { EditHunk, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import type { BrokenBlock } from '../envelope.ts'
import { isFence } from '../reader/fenced-text.ts'
import { isSearchMark, readConflict } from '../reader/hunk-notations.ts'
import { readPathAbove } from './fences.ts'

export type ConflictAnswer = { blocks: FileBlock[]; broken: BrokenBlock[]; prose: string }

export function readConflicts(all: readonly string[]): ConflictAnswer {
  const answer: ConflictAnswer = { blocks: [], broken: [], prose: '' }
  const lines = stripOuterFences(all)
  const prose: string[] = []
  let path: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (!isSearchMark(line)) {
      prose.push(line)
      continue
    }
    path = readPathAbove(lines, at) ?? path
    const { end, hunk } = readConflict(lines, at)
    if (path === undefined) return { blocks: [], broken: [], prose: '' }
    if (hunk) answer.blocks.push(toBlock(path, hunk))
    else answer.broken.push({ path, reason: end < 0 ? 'cut_off' : 'damaged' })
    if (end < 0) break
    at = end
  }
  return { ...answer, prose: prose.join('\n') }
}

/** An empty SEARCH creates the file. */
const toBlock = (path: string, hunk: EditHunk): FileBlock =>
  hunk.find.trim() === ''
    ? { path, action: 'create', why: '', change: { kind: 'body', body: `${hunk.with}\n`, isGuess: true } }
    : { path, action: 'update', why: '', change: { kind: 'hunks', hunks: [hunk] } }

/** Removes fences around the blocks. Fences between their marks belong to the text. */
function stripOuterFences(lines: readonly string[]): string[] {
  const kept: string[] = []
  // If one block has no end, no later block has one either.
  let isEndless = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const isSearch = isSearchMark(line)
    const end: number = isSearch && !isEndless ? readConflict(lines, at).end : -1
    isEndless ||= isSearch && end < 0
    for (const each of lines.slice(at, end < 0 ? at + 1 : end + 1))
      if (end >= 0 || !isFence(each)) kept.push(each)
    if (end >= 0) at = end
  }
  return kept
}
