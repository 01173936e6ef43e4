/** The folder of the repository. */
export const ROOT: string
/** How npm is started: a program and its first arguments. */
export function npmCommand(): string[]
