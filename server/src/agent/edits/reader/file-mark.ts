// Parses a FILE mark: the action and the path.
import type { EditAction } from '../envelope.ts'

/** `action` is undefined if the mark names none; the parts decide. `path` is '' if the mark names no file yet. */
export type FileMark = { action: EditAction | undefined; path: string }

export function parseFileMark(about: string): FileMark {
  const word = /^\w+/.exec(about)?.[0] ?? ''
  const action = ACTIONS[word.toLowerCase()]
  const rest = about.slice(word.length)
  const isSpaced = rest === '' || /^(\s|[:,]\s)/.test(rest)
  if (!action || !isSpaced) return { action: undefined, path: stripDecoration(about) }
  return { action, path: stripDecoration(rest.replace(/^[:,]/, '')) }
}

/** Longer text is not a path. */
const PATH_CHARS_MAX = 1_000

/** Removes quotes, bold marks, a `path=` prefix and a leading `./`. */
export function stripDecoration(text: string): string {
  if (text.length > PATH_CHARS_MAX) return text
  const named = /^(?:path|file|filename)\b/i.exec(text.trim())?.[0] ?? ''
  const behind = text.trim().slice(named.length).trimStart()
  const bare = named !== '' && /^[=:]/.test(behind) ? behind.slice(1).trim() : text.trim()
  const path = stripPairs(bare)
  return /^\.\/[^/]/.test(path) ? path.slice(2) : path
}

/** Text without spaces that has a folder or an extension. */
export function parsePath(text: string): string | undefined {
  if (text.length > PATH_CHARS_MAX) return undefined
  const path = stripDecoration(stripPairs(text.trim(), '*_'))
  return /^\S+$/.test(path) && /[\w\])](\.\w{1,12}$|\/\S)|^\.\w+$/.test(path) && !path.includes('://')
    ? path
    : undefined
}

/** Removes matching quotes and asterisks on both sides. */
function stripPairs(text: string, marks = '"\'`*'): string {
  let edge = 0
  const isPaired = () => {
    const [first, last] = [text.charAt(edge), text.charAt(text.length - 1 - edge)]
    return text.length - 2 * edge >= 2 && first === last && marks.includes(first)
  }
  while (isPaired()) edge++
  return text.slice(edge, text.length - edge)
}

const ACTIONS: Readonly<Record<string, EditAction>> = {
  update: 'update',
  edit: 'update',
  modify: 'update',
  change: 'update',
  create: 'create',
  new: 'create',
  add: 'create',
  write: 'create',
  delete: 'delete',
  remove: 'delete',
}
