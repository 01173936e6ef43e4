// The context of the tools of a task.
import type { FileToolContext } from '@cowrie/workspace/tools/tool-types.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { Org } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { CommandRun } from '../../sandbox/sandbox.ts'
import type { Workspace } from '../workspace/workspace.ts'

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
