// The types of the tools of a task.
import type { OrgId } from '../../kernel/ids.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { CommandRun } from '../../sandbox/sandbox.ts'
import type { SecretMask } from '../secrets/secret-mask.ts'
import type { FileChange } from '../types.ts'
import type { Workspace } from '../workspace/workspace.ts'

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

export type ToolContext = {
  readonly app: App
  readonly orgId: OrgId
  readonly org: Org
  readonly workspace: Workspace
  readonly mask: SecretMask
  readonly signal: AbortSignal
  /** Runs a command on the files of the workspace. Never throws for failures of the command or the sandbox. */
  readonly runCommand: (command: string, timeoutMs: number) => Promise<CommandRun>
  /** A person approved this call. */
  readonly isApproved: boolean
  /** A search that takes longer is stopped. Default: 12 s. */
  readonly searchMs?: number
}

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
