// What a coding model answered, once its marks are read: a plan, blocks that each change one file, and a summary.

/** How the answer ended: by itself, at the ceiling of its length, or because somebody stopped it. */
export type Finish = 'stop' | 'length' | 'stopped'

export type EditAction = 'create' | 'update' | 'delete'

/** Lines of a file, as the model quoted them, and what shall stand in their place; '' removes them. */
export type EditHunk = { find: string; with: string }

export type BlockChange =
  | { kind: 'hunks'; hunks: EditHunk[] }
  /** The whole text. `isGuess`: nothing but its place said that it is one, so it may be a mere fragment. */
  | { kind: 'body'; body: string; isGuess: boolean }
  | { kind: 'none' }

/** `path` is what the model wrote, not yet known to be clean. */
export type FileBlock = { path: string; action: EditAction; why: string; change: BlockChange }

/** A block that began and is no edit: its end never came, or its marks make no sense. */
export type BrokenBlock = { path: string; reason: 'cut_off' | 'damaged' }

export type AnswerEnvelope = {
  plan: string
  summary: string
  blocks: FileBlock[]
  broken: BrokenBlock[]
  /** `code` or `code: path`, in the order in which they were met. */
  warnings: string[]
}

export type EditLimits = { filesMax: number; fileBytesMax: number; totalBytesMax: number }

export const EDIT_LIMITS: EditLimits = {
  filesMax: 40,
  fileBytesMax: 400 * 1024,
  totalBytesMax: 2 * 1024 * 1024,
}

/** In larger files no FIND is looked for. */
export const SEARCHED_BYTES_MAX = 400 * 1024
export const SEARCHED_LINES_MAX = 20_000

/** A text of more lines than this is no file that somebody wrote. */
export const LINES_MAX = 25_000
