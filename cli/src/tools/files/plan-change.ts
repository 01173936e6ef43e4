// Decides what a call of `edit`, `create` or `delete` would change, without changing anything.
import type { SyntaxGate } from '@cowrie/workspace/edits/syntax-verdict.ts'
import { showPath } from '@cowrie/workspace/text/plain-text.ts'
import { create, remove } from '@cowrie/workspace/tools/create-delete.ts'
import { edit } from '@cowrie/workspace/tools/edit.ts'
import { fail } from '@cowrie/workspace/tools/tool-result.ts'
import type {
  CreateInput,
  DeleteInput,
  EditInput,
  FileToolContext,
  ToolResult,
} from '@cowrie/workspace/tools/tool-types.ts'
import { decodeText } from '@cowrie/workspace/tools/workspace-text.ts'
import { type FileState, findFile } from '../../apply/files/find-file.ts'
import type { Step } from '../../apply/files/journal.ts'
import { whyRejected } from '../../apply/files/path-rules.ts'
import { diffOf, type FileDiff, patchOf } from '../../diff/unified.ts'
import { checkJsonSyntax } from './json-syntax.ts'
import type { LocalFiles } from './local-files.ts'
import type { LocalMask } from './local-mask.ts'

export type ChangeCall =
  | { readonly tool: 'edit'; readonly input: EditInput }
  | { readonly tool: 'create'; readonly input: CreateInput }
  | { readonly tool: 'delete'; readonly input: DeleteInput }

export type PlannedChange = {
  readonly result: ToolResult
  readonly step: Step
  /** Without secrets, because it is sent and may be logged. */
  readonly diff: FileDiff
  readonly patch: string
}

const NEW_FILE_MODE = 0o666
const checkSyntax: SyntaxGate = checkJsonSyntax

/** The result alone if nothing would be changed. */
export async function planChange(
  { files, mask }: { files: LocalFiles; mask: LocalMask },
  call: ChangeCall,
): Promise<PlannedChange | { readonly result: ToolResult; readonly step?: undefined }> {
  const { path } = call.input
  const opened = await files.open(path, 'write')
  if (opened.isFolder) return { result: fail(`${showPath(path)} is a folder.`) }
  const workspace = rememberReads(await withSuggestions(files, opened.workspace, call))
  const result = await runShared({ workspace, mask, isApproved: true }, call)
  const [change] = result.changes
  if (!result.ok || !change) return { result }
  const rejected = whyRejected(path)
  const found = rejected === null ? await findFile(files.root, path, true) : { refused: rejected }
  if ('refused' in found) return { result: fail(`${showPath(path)} cannot be changed: it ${found.refused}.`) }
  const before = found.file
  // The edit was made for the text that was read.
  const text = workspace.readText(path)
  if (text !== undefined && text !== before?.text)
    return { result: fail(`Nothing was changed: ${showPath(path)} was changed meanwhile. Read it again.`) }
  const after = change.content === null ? null : { text: change.content, mode: modeOf(before) }
  const diff = await diffWithoutSecrets(mask, path, before, after)
  return { result, step: { path, before, after }, diff, patch: patchOf([diff]) }
}

function runShared(context: FileToolContext, call: ChangeCall): Promise<ToolResult> {
  if (call.tool === 'edit') return edit(context, call.input, checkSyntax)
  return call.tool === 'create' ? create(context, call.input, checkSyntax) : remove(context, call.input)
}

/** The names of all files, if the file is missing: similar ones are suggested. */
async function withSuggestions(
  files: LocalFiles,
  workspace: FileToolContext['workspace'],
  { tool, input }: ChangeCall,
): Promise<FileToolContext['workspace']> {
  if (tool === 'create' || workspace.files.has(input.path) || workspace.skipped.length > 0) return workspace
  const all = (await files.list()).workspace
  return all.files.has(input.path) ? workspace : all
}

/** Keeps the text that a tool has read. */
function rememberReads(workspace: FileToolContext['workspace']) {
  const texts = new Map<string, string | undefined>()
  return {
    ...workspace,
    async read(path: string) {
      const content = await workspace.read(path)
      texts.set(path, content === null ? undefined : decodeText(content))
      return content
    },
    readText: (path: string) => texts.get(path),
  }
}

const modeOf = (before: FileState | null): number => before?.mode ?? NEW_FILE_MODE & ~process.umask()

/** The difference of two states of a file, without secrets. */
export async function diffWithoutSecrets(
  mask: LocalMask,
  path: string,
  before: FileState | null,
  after: FileState | null,
): Promise<FileDiff> {
  const show = async (state: FileState | null) =>
    state && {
      text: state.encoding ? '(not text)\n' : (await mask.hide(path, state.text)).text,
      isExecutable: (state.mode & 0o100) !== 0,
    }
  return diffOf(path, await show(before), await show(after))
}
