/** How npm is started: a program and its first arguments. */
export function npmCommand(): string[]
