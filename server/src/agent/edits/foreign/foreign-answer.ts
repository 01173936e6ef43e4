// Reads an answer without our marks, in a notation that models know from elsewhere. The first notation that yields
// blocks wins.
import type { EditHunk, FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import type { BrokenBlock, Finish } from '../envelope.ts'
import { readConflicts } from './conflicts.ts'
import { readDiff } from './diff.ts'
import { readFencedFiles } from './fences.ts'
import { readJsonEdits } from './json.ts'
import { readLoneFence } from './lone-fence.ts'
import { readPatch } from './patch.ts'
import { readTags } from './tags.ts'

export type ForeignAnswer = {
  notation: 'diff' | 'patch' | 'tags' | 'conflicts' | 'fences' | 'json' | 'lone_fence' | 'none'
  blocks: FileBlock[]
  broken: BrokenBlock[]
  /** The text around the edits. */
  prose: string
  plan?: string
}

/** Longer answers are not read in other notations. */
const ANSWER_CHARS_MAX = 1024 * 1024

/**
 * `which`: an answer with some of our marks may still contain a diff, but its fenced code is an illustration. `files`
 * are those that the model may have read.
 */
export function readForeignAnswer(
  lines: readonly string[],
  finish: Finish,
  which: 'diffs' | 'all',
  files?: ReadonlyMap<string, string>,
): ForeignAnswer {
  if (lines.reduce((sum, line) => sum + line.length + 1, 0) > ANSWER_CHARS_MAX) return NOTHING
  const patch = readPatch(lines)
  if (hasBlocks(patch)) return { notation: 'patch', ...patch }
  const diff = readDiff(lines, finish)
  if (hasBlocks(diff)) return { notation: 'diff', ...diff }
  if (which === 'diffs') return NOTHING
  const tags = readTags(lines)
  if (hasBlocks(tags)) return { notation: 'tags', ...tags, blocks: expandToLines(tags.blocks, files) }
  const conflicts = readConflicts(lines)
  if (hasBlocks(conflicts)) return { notation: 'conflicts', ...conflicts }
  const fenced = readFencedFiles(lines)
  if (hasBlocks(fenced)) return { notation: 'fences', ...fenced }
  // Truncated JSON or fences could be completed in several ways, each with a file that misses its end.
  if (finish !== 'stop') return NOTHING
  const json = readJsonEdits(lines.join('\n'), files)
  if (json.isFound) return { ...json, notation: 'json', blocks: expandToLines(json.blocks, files) }
  const lone = readLoneFence(lines, files)
  return hasBlocks(lone) ? { ...lone, notation: 'lone_fence' } : NOTHING
}

const BLOCKS_IN_LINES_MAX = 200

/** Other notations may quote part of a line; our hunks are whole lines. */
function expandToLines(blocks: FileBlock[], files: ReadonlyMap<string, string> | undefined): FileBlock[] {
  if (blocks.length > BLOCKS_IN_LINES_MAX) return blocks
  return blocks.map((block) => {
    const text = files?.get(block.path)
    const { change } = block
    if (text === undefined || change.kind !== 'hunks' || change.hunks.length > BLOCKS_IN_LINES_MAX)
      return block
    return { ...block, change: { kind: 'hunks', hunks: change.hunks.map((hunk) => expandHunk(text, hunk)) } }
  })
}

/** Ambiguous text stays unchanged; applying it fails later. */
function expandHunk(text: string, hunk: EditHunk): EditHunk {
  const at = hunk.find === '' ? -1 : text.indexOf(hunk.find)
  if (at < 0 || text.indexOf(hunk.find, at + 1) >= 0) return hunk
  const end = text.indexOf('\n', at + hunk.find.length)
  const before = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  const after = text.slice(at + hunk.find.length, end < 0 ? text.length : end).replace(/\r$/, '')
  return { find: before + hunk.find + after, with: before + hunk.with + after }
}

const NOTHING: ForeignAnswer = { notation: 'none', blocks: [], broken: [], prose: '' }

const hasBlocks = ({ blocks, broken }: Pick<ForeignAnswer, 'blocks' | 'broken'>): boolean =>
  blocks.length + broken.length > 0
