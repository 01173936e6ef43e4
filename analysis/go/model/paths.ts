// Paths and archive entry names.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates, sanitizes, taintsOf } from '../../engine/model-helpers.ts'
import { concat, constantValue, sanitize, tainted } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { resultWithError, withError, withType } from './values.ts'

export const ENTRY_LABEL = 'the name of an archive entry'

export const pathCalls: readonly CallModel[] = [
  { name: ['path/filepath.Base', 'path.Base', 'path/filepath.Ext', 'path.Ext'], returns: sanitizes('path') },
  { name: ['path/filepath.Clean', 'path.Clean'], returns: cleanPath },
  { name: ['path/filepath.Join', 'path.Join'], returns: joinedPath },
  {
    name: ['path/filepath.FromSlash', 'path/filepath.ToSlash', 'path/filepath.Dir', 'path.Dir'],
    returns: propagates(0),
  },
  { name: ['path/filepath.Abs', 'path/filepath.EvalSymlinks'], returns: withError(propagates(0)) },
  { name: ['path/filepath.Rel'], returns: withError(propagates(1)) },
  { name: ['*.SecureJoin'], returns: withError(sanitizes('path')) },
  {
    name: ['net/url.JoinPath'],
    returns: (event) =>
      resultWithError({ taints: taintsOf(event), pieces: event.args.map(({ value }) => value) }),
  },
  {
    name: ['archive/zip.OpenReader', 'archive/zip.NewReader'],
    returns: (event) => resultWithError(zipReader(event)),
  },
  { name: ['archive/tar.NewReader'], returns: () => withType('*archive/tar.Reader') },
  { name: ['tar.Reader#Next'], returns: (event) => resultWithError(entryOf(event, '*archive/tar.Header')) },
  { name: ['multipart.Part#FileName', '*.NextPart'], returns: propagates('receiver') },
]

/** A path cleaned from the root cannot climb out of it. */
function cleanPath(event: CallEvent): AbstractValue {
  const value = event.arg(0)?.value ?? UNTAINTED
  if (value.known !== undefined) return value
  const [first] = value.pieces ?? []
  return typeof first === 'string' && first.startsWith('/') ? sanitize(value, ['path']) : value
}

function joinedPath({ args }: CallEvent): AbstractValue {
  const parts = args.map(({ value }) => value)
  const joined = concat(parts.flatMap((part, index) => (index === 0 ? [part] : [constantValue('/'), part])))
  return parts[0]?.known === '/' ? sanitize(joined, ['path']) : joined
}

function zipReader(event: CallEvent): AbstractValue {
  return {
    taints: [],
    type: '*archive/zip.Reader',
    fields: new Map([['File', { taints: [], others: entryOf(event, '*archive/zip.File') }]]),
  }
}

/** A parameter with the type of an archive entry. */
export function entryParameter(type: string, at: SourceRange, path: string): AbstractValue | undefined {
  return /^\*(zip\.File|tar\.Header)$/.test(type) ? entryAt(type, at, path) : undefined
}

const entryOf = ({ expr, path }: CallEvent, type: string): AbstractValue => entryAt(type, expr.at, path)

function entryAt(type: string, at: SourceRange, path: string): AbstractValue {
  const name = tainted('stored', ENTRY_LABEL, at, path)
  return {
    taints: [],
    type,
    fields: new Map([
      ['Name', name],
      ['Linkname', name],
      ['FileHeader', { taints: [], fields: new Map([['Name', name]]) }],
    ]),
  }
}
