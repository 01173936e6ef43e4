import type { Lockfile } from './packages/lock.mjs'

/** The root folder of the repository. */
export const ROOT: string
/** The npm command: a program and its first arguments. */
export function npmCommand(): string[]
/** The Node.js binary that runs everything in this repository. */
export function nodeBinary(): string
/** Whether every locked package is installed with the same hash. Optional ones may be missing. */
export function hasAll(installed: Lockfile['packages'], locked: Lockfile['packages']): boolean
