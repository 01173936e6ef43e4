// A change of one file as a model describes it, and the limits on it.

export type EditAction = 'create' | 'update' | 'delete'

/** Lines as the model quoted them, and their replacement; '' removes them. */
export type EditHunk = { find: string; with: string }

export type BlockChange =
  | { kind: 'hunks'; hunks: EditHunk[] }
  /** The whole text. `isGuess`: only its position suggests that it is whole, so it may be a fragment. */
  | { kind: 'body'; body: string; isGuess: boolean }
  | { kind: 'none' }

/** `path` is as the model wrote it and not yet validated. */
export type FileBlock = { path: string; action: EditAction; why: string; change: BlockChange }

export type EditLimits = { filesMax: number; fileBytesMax: number; totalBytesMax: number }

export const EDIT_LIMITS: EditLimits = {
  filesMax: 40,
  fileBytesMax: 400 * 1024,
  totalBytesMax: 2 * 1024 * 1024,
}

/** FIND is not searched in larger files. */
export const SEARCHED_BYTES_MAX = 400 * 1024
export const SEARCHED_LINES_MAX = 20_000

/** Texts with more lines are refused. */
export const LINES_MAX = 25_000
