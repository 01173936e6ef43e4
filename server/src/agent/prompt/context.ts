// What a model is shown of the caller's files: whole where there is room, cut where there is not, and always said.
import { promptTokensAtMost } from '../../platform/inference/inference.ts'

export type ContextFile = {
  readonly path: string
  readonly content: string
  /** Set where the content is withheld: how many lines it has. Such a file is named to the model and never shown. */
  readonly withheldLines?: number
}

/** A file as it stands in a prompt. `shownLines` below `lines`: the rest was cut. */
export type ShownFile = {
  readonly path: string
  readonly text: string
  readonly lines: number
  readonly shownLines: number
}

/** A file that the model has not seen, or not all of. */
export type Omission = { readonly path: string; readonly lines: number; readonly shownLines: number }

export type ContextReport = { readonly included: readonly string[]; readonly omitted: readonly Omission[] }

export type SelectedContext = { readonly shown: readonly ShownFile[]; readonly report: ContextReport }

/** What one turn of a coding model may read and write. */
export type TurnLimits = {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly repairOutputTokens: number
  /** The shortest answer that is of any use. */
  readonly minOutputTokens: number
}

const OUTPUT_TOKENS = 16_000
const REPAIR_OUTPUT_TOKENS = 8_000
const LEAST_OUTPUT_TOKENS = 512
// Estimates of parts do not add up to the token; this much is left free for that.
const SPARE_TOKENS = 2_000

/** Divides what a model can hold at once. A small one writes a quarter of it. */
export function calculateTurnLimits(contextTokens: number): TurnLimits {
  const outputTokens = Math.min(OUTPUT_TOKENS, Math.floor(contextTokens / 4))
  return {
    promptTokens: contextTokens - outputTokens - SPARE_TOKENS,
    outputTokens,
    repairOutputTokens: Math.min(REPAIR_OUTPUT_TOKENS, outputTokens),
    minOutputTokens: Math.min(LEAST_OUTPUT_TOKENS, outputTokens),
  }
}

/** At most what a text costs in a prompt. */
export const estimateMaxTokens = (text: string): number =>
  promptTokensAtMost([{ role: 'user', content: text }])

// The fence round a file: its marks and its path.
const FENCE_TOKENS = 60
// Less than this of a file tells nothing.
const PIECE_TOKENS = 300

/**
 * Chooses what of the files is shown in so many tokens. Those that the task names come first, then the order given. A file
 * that does not fit gets at most half of the room that is left, so that a large one does not push out all others.
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

/** What each file costs when it is shown whole. Counting is most of the work, so it is done once. */
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

/** The beginning of a file in whole lines; nothing when too little would be left. */
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
