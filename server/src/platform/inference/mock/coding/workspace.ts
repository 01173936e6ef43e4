// The files as they stand while a task is worked on, and what has been spoken of so far.

export type Spoken = { readonly path: string; readonly name: string }

export type Workspace = {
  readonly base: ReadonlyMap<string, string>
  readonly files: Map<string, string>
  /** Why each file was touched, by path. */
  readonly reasons: Map<string, string>
  /** "it": the file and the functions that were written last. */
  lastPath: string | undefined
  readonly functions: Spoken[]
}

export type Change = {
  readonly path: string
  readonly reason: string
  /** Undefined: there was none, or there is none any more. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export const openWorkspace = (base: ReadonlyMap<string, string>): Workspace => ({
  base,
  files: new Map(base),
  reasons: new Map(),
  lastPath: undefined,
  functions: [],
})

export function write(workspace: Workspace, path: string, text: string, reason: string): void {
  workspace.files.set(path, text)
  note(workspace, path, reason)
  workspace.lastPath = path
}

export function remove(workspace: Workspace, path: string, reason: string): void {
  workspace.files.delete(path)
  note(workspace, path, reason)
}

/** What is different now, in the order of the work. */
export const changesOf = ({ base, files, reasons }: Workspace): readonly Change[] =>
  [...reasons]
    .map(([path, reason]) => ({ path, reason, before: base.get(path), after: files.get(path) }))
    .filter(({ before, after }) => before !== after)

function note({ reasons }: Workspace, path: string, reason: string): void {
  const earlier = reasons.get(path)
  reasons.set(path, earlier === undefined || earlier === reason ? reason : `${earlier}; ${reason}`)
}
