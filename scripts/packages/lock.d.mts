export type LockedPackage = {
  version?: string
  link?: boolean
  resolved?: string
  integrity?: string
  os?: string | string[]
  cpu?: string | string[]
  optional?: boolean
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}
export type Lockfile = { packages: Record<string, LockedPackage> }
export function faultsOf(lockfile: Lockfile): string[]
