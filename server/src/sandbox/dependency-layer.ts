// The types of prepared dependencies.

/** Installed dependencies in a folder that is never written to again. */
export type DependencyLayer = {
  /** The hash of the organisation, the tool, the command and its lockfiles. */
  readonly id: string
  readonly tool: string
  /** An absolute path. `project` has files for the folder of the command, `home` those of its home folder. */
  readonly folder: string
  /** The installed folders below `project` and below `home`. */
  readonly projectPaths: readonly string[]
  readonly homePaths: readonly string[]
  /** Variables that make the tool work without a network. */
  readonly environment: Readonly<Record<string, string>>
}

export type PrepareFailure =
  | 'registry_unreachable'
  | 'registry_not_allowed'
  | 'tool_missing'
  | 'command_failed'
  | 'too_large'
  | 'timed_out'
  | 'no_sandbox'

export type PreparedDependencies =
  /** The files name no dependencies, or preparing is switched off. */
  | { readonly state: 'none' }
  | {
      readonly state: 'ready'
      readonly layer: DependencyLayer
      readonly tool: string
      readonly lockfiles: readonly string[]
      readonly isCached: boolean
      readonly durationMs: number
      /** Addresses that the command tried to reach and may not. */
      readonly refused: readonly string[]
    }
  | {
      readonly state: 'failed'
      readonly tool: string
      readonly reason: PrepareFailure
      readonly output: string
      readonly refused: readonly string[]
    }
