// The tools `create` and `delete`.
import { changeFile } from '../edits/change-file.ts'
import { EDIT_LIMITS } from '../edits/file-block.ts'
import type { SyntaxGate } from '../edits/syntax-verdict.ts'
import { createWorkTime } from '../edits/work-time.ts'
import { showCount, showPath, toPlainText } from '../text/plain-text.ts'
import { fail, succeed } from './tool-result.ts'
import type { CreateInput, DeleteInput, FileToolContext, ToolResult } from './tool-types.ts'
import { readWorkspaceText } from './workspace-text.ts'
import { checkWritePath, findCollision } from './write-rules.ts'

export async function create(
  context: FileToolContext,
  input: CreateInput,
  checkSyntax: SyntaxGate,
): Promise<ToolResult> {
  const { path, content, overwrite = false } = input
  const refused = checkWritePath(context, path)
  if (refused) return refused
  const isKnown = context.workspace.files.has(path)
  if (isKnown && !overwrite)
    return fail(`${showPath(path)} exists. Use edit to change it, or set overwrite to replace all of it.`)
  const collision = isKnown ? undefined : findCollision(context, path)
  if (collision !== undefined) return fail(collision)
  const found = isKnown ? await readWorkspaceText(context, path) : { text: undefined }
  if ('problem' in found) return fail(`Nothing was changed. ${found.problem}`)
  const restored = await context.mask.restore(content, found.text ?? '')
  if ('problem' in restored) return fail(`Nothing was changed. ${restored.problem}`)
  return write(context, { path, base: found.text, body: restored.text }, checkSyntax)
}

async function write(
  context: FileToolContext,
  { path, base, body }: { path: string; base: string | undefined; body: string },
  checkSyntax: SyntaxGate,
): Promise<ToolResult> {
  if (base !== undefined) await context.mask.learn(path, base)
  const bounds = { limits: EDIT_LIMITS, time: createWorkTime(), checkSyntax }
  const block = { path, action: 'create', why: '', change: { kind: 'body', body, isGuess: false } } as const
  const changed = await changeFile(path, base, [block], bounds)
  if (Array.isArray(changed)) {
    const reasons = changed.map(({ message }) => toPlainText(message).replaceAll('\n', ' '))
    return fail(`Nothing was changed in ${showPath(path)}. ${reasons.join(' ')}`)
  }
  const text = changed.text ?? ''
  if (text === base) return fail(`Nothing was changed: ${showPath(path)} already has this content.`)
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const action = base === undefined ? 'Created' : 'Replaced'
  return succeed(`${action} ${showPath(path)} with ${showCount(lines, 'line')}.`, {
    changes: [{ path, content: text }],
  })
}

/** Binary files and large files can be deleted too. */
export async function remove(context: FileToolContext, { path }: DeleteInput): Promise<ToolResult> {
  const refused = checkWritePath(context, path)
  if (refused) return refused
  if (!context.workspace.files.has(path)) {
    const found = await readWorkspaceText(context, path)
    return fail('problem' in found ? found.problem : `There is no file ${showPath(path)}.`)
  }
  return succeed(`Deleted ${showPath(path)}.`, { changes: [{ path, content: null }] })
}
