// Accepts the arguments that models often write because other coding tools name them so.
import type { ToolName } from './tool-types.ts'

type Arguments = Readonly<Record<string, unknown>>

const PATH = ['file_path', 'filePath', 'file', 'filename', 'file_name']
const FOLDER = ['dir', 'directory', 'folder', 'dir_path', ...PATH]
const FIND = ['old_string', 'oldString', 'old_str', 'old_text', 'oldText', 'old', 'search']
const REPLACE = ['new_string', 'newString', 'new_str', 'new_text', 'newText', 'new']
const ALL = ['replace_all', 'replaceAll']
const EDIT: Readonly<Record<string, readonly string[]>> = { find: FIND, replace: REPLACE, all: ALL }

/** Other names, by the name of this service. */
const NAMES: Readonly<Record<ToolName, Readonly<Record<string, readonly string[]>>>> = {
  list: { path: FOLDER, pattern: ['glob'], depth: ['max_depth', 'maxDepth'] },
  read: {
    path: PATH,
    from: ['start', 'start_line', 'startLine', 'line_start', 'offset'],
    to: ['end', 'end_line', 'endLine', 'line_end'],
  },
  search: {
    query: ['pattern', 'regex', 'text', 'q'],
    kind: ['type', 'mode'],
    path: FOLDER,
    glob: ['include', 'file_pattern', 'filePattern'],
    limit: ['max_results', 'maxResults', 'head_limit'],
  },
  edit: { path: PATH, ...EDIT },
  create: { path: PATH, content: ['contents', 'text', 'file_text', 'fileText', 'body', 'code'] },
  delete: { path: PATH },
  run: { command: ['cmd', 'script'], timeoutSeconds: ['timeout_seconds'] },
}

/** Explanations for a reader. They have no effect. */
const REMARKS: ReadonlySet<string> = new Set(['description', 'explanation', 'reason', 'purpose', 'thought'])

export function toOwnNames(tool: ToolName, input: Arguments): Record<string, unknown> {
  const isPattern = 'pattern' in input || 'regex' in input
  const own = rename(NAMES[tool], input)
  if (tool === 'search' && !('kind' in own)) return { ...own, kind: isPattern ? 'regex' : 'text' }
  if (tool === 'edit') return withEdits(own)
  if (tool === 'read') return withLastLine(own)
  return own
}

/** A name of ours wins over another name for the same value. */
function rename(names: Readonly<Record<string, readonly string[]>>, input: Arguments) {
  const own: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(input)) {
    const name = Object.keys(names).find((each) => names[each]?.includes(key)) ?? key
    const isTaken = name !== key && name in input
    if (!isTaken && !REMARKS.has(key)) own[name] = value
  }
  return own
}

/** One replacement may stand beside the path. */
function withEdits({ find, replace, all, edits, ...rest }: Record<string, unknown>) {
  if (Array.isArray(edits))
    return { ...rest, edits: edits.map((each: unknown) => (isObject(each) ? rename(EDIT, each) : each)) }
  if (edits !== undefined || find === undefined) return { ...rest, ...(edits !== undefined && { edits }) }
  return { ...rest, edits: [{ find, replace, ...(all !== undefined && all !== null && { all }) }] }
}

/** `limit` is a number of lines. */
function withLastLine({ limit, ...rest }: Record<string, unknown>) {
  const count = Number(limit)
  if (limit === undefined || 'to' in rest || !Number.isInteger(count) || count < 1) return rest
  return { ...rest, to: (Number(rest.from) || 1) + count - 1 }
}

const isObject = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
