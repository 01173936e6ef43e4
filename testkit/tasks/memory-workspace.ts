// A workspace in memory, or on top of a folder, and the context of its tools.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OrgId } from '@cowrie/server/src/kernel/ids.ts'
import type { CommandRun } from '@cowrie/server/src/sandbox/command-run.ts'
import { createSecretMask, type SecretMask } from '@cowrie/server/src/tasks/secrets/secret-mask.ts'
import { learnSecretFiles } from '@cowrie/server/src/tasks/tools/search/learn-secrets.ts'
import {
  readToolCall,
  runTool,
  type ToolContext,
  type ToolResult,
} from '@cowrie/server/src/tasks/tools/tools.ts'
import type { FileChange, SkippedFile } from '@cowrie/server/src/tasks/types.ts'
import type { Workspace } from '@cowrie/server/src/tasks/workspace/workspace.ts'

export type MemoryFiles = Readonly<Record<string, string | Uint8Array>>

export type MemoryWorkspace = Workspace & { apply(changes: readonly FileChange[]): void }

/** `folder`: its files are listed in `onDisk` and lie below the others. */
export function createMemoryWorkspace(
  start: MemoryFiles,
  more: {
    readonly skipped?: readonly SkippedFile[]
    readonly folder?: string
    readonly onDisk?: ReadonlyMap<string, { readonly bytes: number }>
  } = {},
): MemoryWorkspace {
  const { folder = null, onDisk = new Map(), skipped = [] } = more
  const contents = new Map<string, string | Uint8Array>(Object.entries(start))
  const deleted = new Set<string>()
  return {
    kind: folder === null ? 'files' : 'repository',
    repo: null,
    skipped,
    get files() {
      const files = new Map([...onDisk].filter(([path]) => !deleted.has(path)))
      for (const [path, content] of contents) files.set(path, { bytes: Buffer.byteLength(content) })
      return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
    },
    async read(path) {
      const content = contents.get(path)
      if (content !== undefined) return Buffer.from(content)
      if (folder === null || deleted.has(path) || !onDisk.has(path)) return null
      return readFileSync(join(folder, path))
    },
    get tree() {
      return { folder, files: contents, deleted }
    },
    apply(changes) {
      for (const { path, content } of changes) {
        if (content === null) {
          contents.delete(path)
          deleted.add(path)
        } else {
          contents.set(path, content)
          deleted.delete(path)
        }
      }
    },
  }
}

export const TEST_OWNER: OrgId = 'org_00000000000000000000000001'
export const TEST_NONCE = 'a nonce that only the tests know'

export const createTestMask = (allowedPaths: readonly string[] = [], nonce = TEST_NONCE): SecretMask =>
  createSecretMask({ nonce, owner: TEST_OWNER, allowedPaths: new Set(allowedPaths) })

export const exitedRun = (output: string, exitCode = 0): CommandRun => ({
  outcome: 'exited',
  exitCode,
  limit: null,
  output,
  durationMs: 1_200,
})

export type ToolStage = {
  readonly workspace: MemoryWorkspace
  readonly mask: SecretMask
  /** Every command that the tools ran. */
  readonly commands: string[]
  /** Calls a tool as a model does. Changes are applied. */
  call(name: string, input: unknown, isApproved?: boolean): Promise<ToolResult>
  text(path: string): Promise<string | undefined>
}

export function createToolStage(
  workspace: MemoryWorkspace,
  more: {
    readonly mask?: SecretMask
    readonly run?: CommandRun
    readonly signal?: AbortSignal
    readonly searchMs?: number
  } = {},
): ToolStage {
  const { mask = createTestMask(), run = exitedRun('') } = more
  const commands: string[] = []
  let opening: Promise<void> | undefined
  const context = {
    orgId: TEST_OWNER,
    workspace,
    mask,
    signal: more.signal ?? new AbortController().signal,
    ...(more.searchMs !== undefined && { searchMs: more.searchMs }),
    runCommand: async (command: string) => {
      commands.push(command)
      return run
    },
  }
  return {
    workspace,
    mask,
    commands,
    async call(name, input, isApproved = false) {
      const read = readToolCall(name, typeof input === 'string' ? input : JSON.stringify(input))
      if ('problem' in read) return { ok: false, output: read.problem, isTruncated: false, changes: [] }
      // As when a turn opens its workspace.
      opening ??= learnSecretFiles(workspace, mask)
      await opening
      // The index is the only part that needs the service and the organisation, and these workspaces have none.
      const result = await runTool({ ...context, isApproved } as unknown as ToolContext, read.call)
      workspace.apply(result.changes)
      return result
    },
    text: async (path) => (await workspace.read(path))?.toString(),
  }
}
