// Reads a single unnamed fence if only one file can be meant and the fence clearly holds all of it.
import type { FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import { LINES_MAX } from '@cowrie/workspace/edits/file-block.ts'
import { isVersionOf, similarity } from '@cowrie/workspace/edits/match/similarity.ts'
import { isExampleBelow, saysNoChange } from '../reader/prose-cues.ts'
import { findClosingFence, isOtherLanguage, parseOpeningFence } from './fences.ts'

export type LoneFence = { blocks: FileBlock[]; broken: []; prose: string }

const NOTHING: LoneFence = { blocks: [], broken: [], prose: '' }

export function readLoneFence(
  lines: readonly string[],
  files: ReadonlyMap<string, string> | undefined,
): LoneFence {
  const open = lines.findIndex((line) => parseOpeningFence(line) !== undefined)
  const fence = parseOpeningFence(lines[open] ?? '')
  const close = fence && findClosingFence(lines, open, fence.marks)
  if (!files || !fence || close === undefined || lines.length > LINES_MAX) return NOTHING
  const [before, after] = [lines.slice(0, open), lines.slice(close + 1)]
  const prose = [...before, ...after]
  if (after.some(parseOpeningFence) || prose.some(saysNoChange) || isExampleBelow(before)) return NOTHING
  const path = findOnlyFile(files, prose.join('\n'))
  const body = lines.slice(open + 1, close)
  const original = path === undefined ? [] : (files.get(path) ?? '').split('\n').map((line) => line.trimEnd())
  if (path === undefined || isOtherLanguage(fence.info, path) || !isWholeFile(original, body)) return NOTHING
  const change = { kind: 'body', body: `${body.join('\n')}\n`, isGuess: true } as const
  return { blocks: [{ path, action: 'create', why: '', change }], broken: [], prose: prose.join('\n') }
}

/** The only file, or the only one that the prose names. */
function findOnlyFile(files: ReadonlyMap<string, string>, prose: string): string | undefined {
  const named = [...files.keys()].filter((path) => prose.includes(path))
  const [path, ...others] = files.size === 1 ? [...files.keys()] : named
  return others.length > 0 ? undefined : path
}

const LIKENESS_MIN = 0.6
/** A fence with a smaller share of the lines leaves something out. */
const LINES_SHARE_MIN = 0.8

/** Whether the fence is a new version of the whole file: not a part, not an identical copy, not something else. */
function isWholeFile(original: readonly string[], body: readonly string[]): boolean {
  const [old, next] = [original.filter(isText), body.filter(isText)]
  if (old.length === 0 || old.join('\n') === next.map((line) => line.trimEnd()).join('\n')) return false
  if (next.length < old.length * LINES_SHARE_MIN || similarity(old, next) < LIKENESS_MIN) return false
  const edges = (lines: readonly string[]) => [
    lines[0],
    lines.at(-1),
    lines.find(hasWords),
    lines.findLast(hasWords),
  ]
  const ends = edges(next)
  return edges(old).every((line = '', at) => isSameLine(line, ends[at] ?? ''))
}

const isSameLine = (left: string, right: string): boolean =>
  left.trim() === right.trim() || isVersionOf(left, right)

/** More than brackets. */
const hasWords = (line: string): boolean => /\w/.test(line)
const isText = (line: string): boolean => line.trim() !== ''
