/** One text with the licence of each package that a module comes from. */
export function licencesOf(modules: readonly string[]): string
