// How much one answer may change. What goes beyond is refused by name; the rest of the answer stands.
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
