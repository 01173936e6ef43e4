// The files of a command run: a read-only folder on this machine, and what differs from it.

export type SandboxTree = {
  /** An absolute path. It is never written to. Null: `files` has all files. */
  readonly folder: string | null
  /** Clean relative paths and their contents. They replace those of the folder. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** Paths of the folder that are gone. */
  readonly deleted: ReadonlySet<string>
}
