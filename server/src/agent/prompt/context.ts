// Selects the files that a model sees: whole if they fit, truncated otherwise, and always reported.
import { estimateMaxPromptTokens } from '../../platform/inference/inference.ts'

export type ContextFile = {
  readonly path: string
  readonly content: string
  /** Set for withheld files: their number of lines. The model learns the name but not the content. */
  readonly withheldLines?: number
}

/** A file as shown in a prompt. If `shownLines` is below `lines`, the rest was cut. */
export type ShownFile = {
  readonly path: string
  readonly text: string
  readonly lines: number
  readonly shownLines: number
}

/** A file that the model has not seen completely. */
export type Omission = { readonly path: string; readonly lines: number; readonly shownLines: number }

export type ContextReport = { readonly included: readonly string[]; readonly omitted: readonly Omission[] }

export type SelectedContext = { readonly shown: readonly ShownFile[]; readonly report: ContextReport }

/** Token limits of one turn. */
export type TurnLimits = {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly repairOutputTokens: number
  /** The shortest useful answer. */
  readonly minOutputTokens: number
}

const OUTPUT_TOKENS = 16_000
const REPAIR_OUTPUT_TOKENS = 8_000
const LEAST_OUTPUT_TOKENS = 512
// Reserve, because estimates of parts do not add up exactly.
const SPARE_TOKENS = 2_000

/** Divides the context window of a model. At most a quarter is for the answer. */
export function calculateTurnLimits(contextTokens: number): TurnLimits {
  const outputTokens = Math.min(OUTPUT_TOKENS, Math.floor(contextTokens / 4))
  return {
    promptTokens: contextTokens - outputTokens - SPARE_TOKENS,
    outputTokens,
    repairOutputTokens: Math.min(REPAIR_OUTPUT_TOKENS, outputTokens),
    minOutputTokens: Math.min(LEAST_OUTPUT_TOKENS, outputTokens),
  }
}

/** An upper bound of the prompt tokens of a text. */
export const estimateMaxTokens = (text: string): number =>
  estimateMaxPromptTokens([{ role: 'user', content: text }])

// The fence around a file: its marks and its path.
const FENCE_TOKENS = 60
// A smaller piece of a file is useless.
const PIECE_TOKENS = 300

/**
 * Selects files within a token limit. Files that the task names come first, then the given order. A file that does
 * not fit gets at most half of the remaining room, so that it does not displace all others.
 */
export function selectContext(
  files: readonly ContextFile[],
  task: string,
  roomTokens: number,
  sizes = measureFiles(files),
): SelectedContext {
  const shown = new Map<ContextFile, ShownFile>()
  let left = roomTokens
  for (const { file, size } of sortByImportance(files, sizes, task)) {
    if (file.withheldLines !== undefined) continue
    const piece = size <= left ? toWholeFile(file) : cutToFit(file, size, Math.floor(left / 2))
    if (!piece) continue
    shown.set(file, piece)
    left -= size <= left ? size : estimateMaxTokens(piece.text) + FENCE_TOKENS
  }
  const kept = files.flatMap((file) => shown.get(file) ?? [])
  return { shown: kept, report: toContextReport(files, kept) }
}

/** The token cost of each whole file. Counting is expensive, so callers do it once. */
export const measureFiles = (files: readonly ContextFile[]): number[] =>
  files.map(({ path, content }) => estimateMaxTokens(content) + estimateMaxTokens(path) + FENCE_TOKENS)

function sortByImportance(files: readonly ContextFile[], sizes: readonly number[], task: string) {
  const ranked = files.map((file, i) => ({ file, size: sizes[i] ?? 0, isNamed: isNamedIn(task, file.path) }))
  return [...ranked.filter(({ isNamed }) => isNamed), ...ranked.filter(({ isNamed }) => !isNamed)]
}

const isNamedIn = (task: string, path: string): boolean =>
  task.includes(path.slice(path.lastIndexOf('/') + 1))

export const countLines = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

function toWholeFile({ path, content }: ContextFile): ShownFile {
  const lines = countLines(content)
  return { path, text: content, lines, shownLines: lines }
}

const SHORTENINGS_MAX = 12

/** The first lines of a file; undefined if too little would fit. */
function cutToFit({ path, content }: ContextFile, size: number, roomTokens: number): ShownFile | undefined {
  if (roomTokens < PIECE_TOKENS) return undefined
  const lines = countLines(content)
  let length = Math.floor((content.length * roomTokens) / size)
  for (let shortening = 0; shortening < SHORTENINGS_MAX; shortening++) {
    const text = content.slice(0, content.lastIndexOf('\n', length) + 1)
    if (text === '') return undefined
    if (estimateMaxTokens(text) + FENCE_TOKENS <= roomTokens)
      return { path, text, lines, shownLines: countLines(text) }
    length = Math.floor(length * 0.8)
  }
  return undefined
}

function toContextReport(files: readonly ContextFile[], shown: readonly ShownFile[]): ContextReport {
  const whole = new Set(shown.filter(({ lines, shownLines }) => shownLines === lines).map(({ path }) => path))
  const seen = new Map(shown.map(({ path, shownLines }) => [path, shownLines]))
  return {
    included: files.filter(({ path }) => whole.has(path)).map(({ path }) => path),
    omitted: files
      .filter(({ path }) => !whole.has(path))
      .map(({ path, content, withheldLines }) => ({
        path,
        lines: withheldLines ?? countLines(content),
        shownLines: seen.get(path) ?? 0,
      })),
  }
}
