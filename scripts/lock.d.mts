export type LockedPackage = {
  version?: string
  link?: boolean
  resolved?: string
  integrity?: string
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}
export type Lockfile = { packages: Record<string, LockedPackage> }
export function faultsOf(lockfile: Lockfile): string[]
