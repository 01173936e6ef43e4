// The words of a FILE mark: what to do, and with which file.
import type { Action } from './envelope.ts'

/** `action` is undefined where the model named none: what follows tells. */
export type FileMark = { action: Action | undefined; path: string }

export function readFileMark(about: string): FileMark {
  const [, word = '', rest = ''] = /^(\w+)\s*[:,]?\s+(.*)$/s.exec(about) ?? []
  const action = ACTIONS[word.toLowerCase()]
  return action ? { action, path: undecorated(rest) } : { action: undefined, path: undecorated(about) }
}

/** A path as models like to dress it: quoted, bold, with `path=` before it or a leading `./`. */
export function undecorated(text: string): string {
  const bare = text
    .trim()
    .replace(/^(path|file|filename)\s*[=:]\s*/i, '')
    .replace(/^(["'`*]+)(.*)\1$/s, '$2')
  return bare.replace(/^\.\/(?=[^/])/, '')
}

const ACTIONS: Readonly<Record<string, Action>> = {
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
