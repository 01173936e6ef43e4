// How much one answer may change. What goes beyond is refused by name; the rest of the answer stands.
export type EditLimits = { filesMax: number; fileBytesMax: number; totalBytesMax: number }

export const EDIT_LIMITS: EditLimits = {
  filesMax: 40,
  fileBytesMax: 400 * 1024,
  totalBytesMax: 2 * 1024 * 1024,
}
