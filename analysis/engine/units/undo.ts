// The functions of a file are analyzed apart from those of other files: what their analysis changes in tables that all
// files share is undone afterwards. The result of a file then depends on no other file whose functions ran before.

import type { ClassInfo, Machine } from '../machine.ts'
import { recordWrite } from './trace.ts'

/** Undoes a change when the functions of the file are analyzed. Changes at the top level of a file remain. */
export function undoLater({ trace }: Machine, undo: () => void): void {
  if (trace.isUnit) trace.undo.push(undo)
}

/** As `undoLater`, and also when the top level of a file runs code of another file, which is analyzed there again. */
export function undoForeign({ trace, frame }: Machine, undo: () => void): void {
  if (trace.isUnit || frame.file !== trace.file) trace.undo.push(undo)
}

export function undoAll({ trace }: Machine): void {
  for (let undo = trace.undo.pop(); undo; undo = trace.undo.pop()) undo()
}

/** Call before the fields of a class change. */
export function keepFields(m: Machine, info: ClassInfo): void {
  const { self, statics } = info
  recordWrite(m, info.file)
  undoLater(m, () => {
    info.self = self
    info.statics = statics
  })
}

export function setUndoable<K extends WeakKey, V>(
  m: Machine,
  table: { get(key: K): V | undefined; set(key: K, value: V): unknown; delete(key: K): unknown },
  key: K,
  value: V,
): void {
  const before = table.get(key)
  table.set(key, value)
  undoForeign(m, () => {
    if (before === undefined) table.delete(key)
    else table.set(key, before)
  })
}

/** Versions are never used again, so that nothing that was derived from an undone state is taken for current. */
export function newVersion(m: Machine): number {
  m.versions += 1
  return m.versions
}
