// The functions of a file are analyzed apart from those of other files: what their analysis changes in tables that all
// files share is undone afterwards. The result of a file then depends on no other file whose functions ran before.

import type { ClassInfo, Machine, SourceFile } from '../machine.ts'

/** Undoes a change of a file when its reader is done. Only the top level of the file itself changes it for all others. */
export function undoLater({ trace }: Machine, file: SourceFile, undo: () => void): void {
  if (!trace.isUnit && file === trace.file) return
  trace.undo.push(undo)
  trace.changed.add(file)
}

export function undoAll({ trace }: Machine): void {
  for (let undo = trace.undo.pop(); undo; undo = trace.undo.pop()) undo()
}

/** Call before the fields of a class change. */
export function keepFields(m: Machine, info: ClassInfo): void {
  const { self, statics } = info
  undoLater(m, info.file, () => {
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
  undoLater(m, m.frame.file, () => {
    if (before === undefined) table.delete(key)
    else table.set(key, before)
  })
}

/** Versions are never used again, so that nothing that was derived from an undone state is taken for current. */
export function newVersion(m: Machine): number {
  m.versions += 1
  return m.versions
}
