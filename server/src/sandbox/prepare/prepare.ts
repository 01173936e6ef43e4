// Installs the dependencies of a project once per lockfile, for later runs without a network.
import type { App } from '../../platform/app.ts'
import type { PreparedDependencies } from '../dependency-layer.ts'
import type { SandboxTree } from '../sandbox-tree.ts'

export type PrepareInput = {
  readonly orgId: string
  readonly tree: SandboxTree
  /** Replaces the detected command. */
  readonly command?: string
  readonly signal: AbortSignal
}

export async function prepareDependencies(_app: App, _input: PrepareInput): Promise<PreparedDependencies> {
  return { state: 'none' }
}
