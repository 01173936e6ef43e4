/** Paths within single packages that a running service never opens. */
export const UNUSED: Readonly<Record<string, RegExp>>
/** Removes from an installed tree what a running service never opens. */
export function prune(folder: string): void
