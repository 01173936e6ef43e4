// Applies the edits of a script to files, without the service.
import type { Files, Script, ToolStep } from './corpus/task.ts'

export function applyScript(files: Files, script: Script): Map<string, string> {
  const now = new Map(Object.entries(files))
  for (const step of script.flat()) applyStep(now, step)
  return now
}

/** Throws for a step that a tool would refuse, because a script of the corpus makes no mistakes. */
function applyStep(files: Map<string, string>, step: ToolStep): void {
  if (step.tool === 'create') {
    if (files.has(step.path)) throw new Error(`${step.path} exists already`)
    files.set(step.path, step.content)
    return
  }
  if (step.tool !== 'edit' && step.tool !== 'delete' && step.tool !== 'read') return
  const text = files.get(step.path)
  if (text === undefined) throw new Error(`there is no ${step.path} to ${step.tool}`)
  if (step.tool === 'delete') files.delete(step.path)
  if (step.tool === 'edit') {
    if (text.split(step.find).length !== 2) throw new Error(`not exactly once in ${step.path}: ${step.find}`)
    files.set(
      step.path,
      text.replace(step.find, () => step.replacement),
    )
  }
}
