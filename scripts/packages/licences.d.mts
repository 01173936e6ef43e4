/** One text with the licence of each package in `modules`. */
export function licencesOf(modules: readonly string[]): string
