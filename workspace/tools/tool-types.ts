// The types of the tools that work on the files of a workspace.
import type { SecretMask } from '../secrets/secret-mask.ts'

/** A file that is not part of the workspace, or not as it is in the repository. */
export type SkippedFile = {
  readonly path: string
  readonly reason: 'submodule' | 'lfs' | 'link' | 'too_large' | 'unsafe_path' | 'other'
}

/** The same, with the reasons of a folder on the computer of a user. */
export type LeftOutFile = {
  readonly path: string
  readonly reason: SkippedFile['reason'] | 'excluded' | 'special'
}

/** The new content of a file; null deletes it. */
export type FileChange = { readonly path: string; readonly content: string | null }

/** The files that the tools see. */
export type ToolWorkspace = {
  /** All files by clean relative path, sorted by path. */
  readonly files: ReadonlyMap<string, { readonly bytes: number }>
  readonly skipped: readonly LeftOutFile[]
  /** The current content; null if there is no such file. */
  read(path: string): Promise<Buffer | null>
}

export type FileToolContext = {
  readonly workspace: ToolWorkspace
  readonly mask: SecretMask
  /** A person approved this call. */
  readonly isApproved: boolean
}

export type SearchKind = 'text' | 'regex' | 'symbol' | 'meaning'

export type TextEdit = { readonly find: string; readonly replace: string; readonly all?: boolean | undefined }

export type ListInput = {
  readonly path?: string | undefined
  readonly depth?: number | undefined
  readonly pattern?: string | undefined
}
export type ReadInput = {
  readonly path: string
  readonly from?: number | undefined
  readonly to?: number | undefined
}
export type SearchInput = {
  readonly query: string
  readonly kind: SearchKind
  readonly path?: string | undefined
  readonly glob?: string | undefined
  readonly limit?: number | undefined
}
export type EditInput = { readonly path: string; readonly edits: readonly TextEdit[] }
export type CreateInput = {
  readonly path: string
  readonly content: string
  readonly overwrite?: boolean | undefined
}
export type DeleteInput = { readonly path: string }
export type RunInput = { readonly command: string; readonly timeoutSeconds?: number | undefined }

export type ToolCall =
  | { readonly name: 'list'; readonly input: ListInput }
  | { readonly name: 'read'; readonly input: ReadInput }
  | { readonly name: 'search'; readonly input: SearchInput }
  | { readonly name: 'edit'; readonly input: EditInput }
  | { readonly name: 'create'; readonly input: CreateInput }
  | { readonly name: 'delete'; readonly input: DeleteInput }
  | { readonly name: 'run'; readonly input: RunInput }

export type ToolName = ToolCall['name']

export type ToolResult = {
  readonly ok: boolean
  /** For the model and the event. Without secrets and control characters. */
  readonly output: string
  /** The whole result if it is longer, at most 1 MiB. Also without secrets and control characters. */
  readonly fullOutput?: string
  readonly isTruncated: boolean
  readonly changes: readonly FileChange[]
  /** The reason why a person must approve the call. Nothing was done. */
  readonly needsApproval?: string
}
