import type { Lockfile } from './packages/lock.mjs'

/** The folder of the repository. */
export const ROOT: string
/** How npm is started: a program and its first arguments. */
export function npmCommand(): string[]
/** The program that everything of this repository is run with. */
export function nodeBinary(): string
/** Whether every locked package is installed, in exactly that form; optional ones may be missing. */
export function hasAll(installed: Lockfile['packages'], locked: Lockfile['packages']): boolean
