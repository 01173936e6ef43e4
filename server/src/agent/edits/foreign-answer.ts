// An answer without our marks, in a notation that the model knows better: a unified diff, a patch, the marks of a merge
// conflict, fenced code below the name of its file, or JSON. The first one that yields anything is taken.
import type { Block, BrokenBlock, Finish } from './envelope.ts'
import { readConflicts } from './foreign-conflicts.ts'
import { readDiff } from './foreign-diff.ts'
import { readFencedFiles } from './foreign-fences.ts'
import { readJsonEdits } from './foreign-json.ts'
import { readPatch } from './foreign-patch.ts'

export type ForeignAnswer = {
  notation: 'diff' | 'patch' | 'conflicts' | 'fences' | 'json' | 'none'
  blocks: Block[]
  broken: BrokenBlock[]
  /** What was said around the edits. */
  prose: string
}

/** Longer answers are not tried in other notations. */
const ANSWER_CHARS_MAX = 1024 * 1024

/** `which`: an answer that has some of our marks may still hold a diff, but its fenced code is an illustration. */
export function readForeignAnswer(
  lines: readonly string[],
  finish: Finish,
  which: 'diffs' | 'all',
): ForeignAnswer {
  if (lines.reduce((sum, line) => sum + line.length + 1, 0) > ANSWER_CHARS_MAX) return NOTHING
  const patch = readPatch(lines, finish)
  if (isFound(patch)) return { notation: 'patch', ...patch }
  const diff = readDiff(lines, finish)
  if (isFound(diff)) return { notation: 'diff', ...diff }
  if (which === 'diffs') return NOTHING
  const conflicts = readConflicts(lines, finish)
  if (isFound(conflicts)) return { notation: 'conflicts', ...conflicts }
  const fenced = readFencedFiles(lines, finish)
  if (isFound(fenced)) return { notation: 'fences', ...fenced }
  // A JSON text that ends early can be closed in many ways, and each is a file with its end missing.
  const json = finish === 'stop' ? readJsonEdits(lines.join('\n')) : NOTHING
  return isFound(json) ? { ...json, notation: 'json' } : NOTHING
}

const NOTHING: ForeignAnswer = { notation: 'none', blocks: [], broken: [], prose: '' }

const isFound = ({ blocks, broken }: Omit<ForeignAnswer, 'notation'>): boolean =>
  blocks.length + broken.length > 0
