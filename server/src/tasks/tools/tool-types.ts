// The context of the tools of a task, and the calls of tools that the caller brings.
import type { FileToolContext } from '@cowrie/workspace/tools/tool-types.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { CommandRun } from '../../sandbox/sandbox.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** A call of a tool that the caller brought. Only the caller runs it, and its name is never that of another tool. */
export type ClientToolCall = {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

export type ToolContext = FileToolContext & {
  readonly app: App
  readonly orgId: OrgId
  readonly org: Org
  readonly workspace: Workspace
  readonly signal: AbortSignal
  /** Runs a command on the files of the workspace. Never throws for failures of the command or the sandbox. */
  readonly runCommand: (command: string, timeoutMs: number) => Promise<CommandRun>
  /** A search that takes longer is stopped. Default: 12 s. */
  readonly searchMs?: number
}
