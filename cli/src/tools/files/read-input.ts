// The input of the file tools. The service has checked it; this program does not rely on that.
import type { SearchKind, ToolCall as WorkspaceCall } from '@cowrie/workspace/tools/tool-types.ts'
import { isRecord } from '../../system/state-file.ts'

export const FILE_TOOLS = ['list', 'read', 'search', 'edit', 'create', 'delete'] as const
export type FileToolName = (typeof FILE_TOOLS)[number]
export type FileCall = Extract<WorkspaceCall, { readonly name: FileToolName }>

const KINDS: readonly string[] = ['text', 'regex', 'symbol', 'meaning'] satisfies SearchKind[]

/** Null if the input is not that of the tool. */
export function readFileCall(tool: string, input: unknown): FileCall | null {
  const name = FILE_TOOLS.find((each) => each === tool)
  if (name === undefined || !isRecord(input) || !CHECKS[name](input)) return null
  // The check above is that of the tool.
  return { name, input } as unknown as FileCall
}

type Check = (input: Record<string, unknown>) => boolean

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === 'string'
const isCountOrNone = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 1)
const isFlagOrNone = (value: unknown): boolean => value === undefined || typeof value === 'boolean'

const isEdit = (edit: unknown): boolean =>
  isRecord(edit) && isText(edit.find) && isText(edit.replace) && isFlagOrNone(edit.all)

const CHECKS: Readonly<Record<FileToolName, Check>> = {
  list: ({ path, depth, pattern }) => isTextOrNone(path) && isCountOrNone(depth) && isTextOrNone(pattern),
  read: ({ path, from, to }) => isText(path) && isCountOrNone(from) && isCountOrNone(to),
  search: ({ query, kind, path, glob, limit }) =>
    isText(query) &&
    KINDS.includes(String(kind)) &&
    isTextOrNone(path) &&
    isTextOrNone(glob) &&
    isCountOrNone(limit),
  edit: ({ path, edits }) => isText(path) && Array.isArray(edits) && edits.length > 0 && edits.every(isEdit),
  create: ({ path, content, overwrite }) => isText(path) && isText(content) && isFlagOrNone(overwrite),
  delete: ({ path }) => isText(path),
}
