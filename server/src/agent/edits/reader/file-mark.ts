// Parses a FILE mark: the action and the path.
import type { EditAction } from '@cowrie/workspace/edits/file-block.ts'
import { stripDecoration } from '@cowrie/workspace/edits/path-comment.ts'

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
