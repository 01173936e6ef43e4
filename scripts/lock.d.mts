export type Lockfile = { packages: Record<string, { optionalDependencies?: Record<string, string> }> }
export function missingFrom(lockfile: Lockfile): [name: string, version: string][]
