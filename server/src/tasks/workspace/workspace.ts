// The files of a task as a turn sees them: the base with all changes so far.
import type { SandboxTree } from '../../sandbox/sandbox.ts'
import type { SkippedFile } from '../types.ts'

export type WorkspaceFile = { readonly bytes: number }

export type Workspace = {
  readonly kind: 'files' | 'repository'
  /** The name under which the index knows the files; null if it does not. */
  readonly repo: string | null
  /** All files by clean relative path, sorted by path. */
  readonly files: ReadonlyMap<string, WorkspaceFile>
  readonly skipped: readonly SkippedFile[]
  /** The current content; null if there is no such file. */
  read(path: string): Promise<Buffer | null>
  /** The same files for the sandbox. */
  readonly tree: SandboxTree
}
