// A chunk: a piece of a file that is searched and shown as a unit.

export type ChunkKind = 'file' | 'function' | 'class' | 'type' | 'code' | 'section' | 'statement' | 'window'

export type Chunk = {
  readonly kind: ChunkKind
  /** The names of its definitions, separated by commas; empty if it defines nothing. */
  readonly symbol: string
  /** Enclosing classes or headings, outermost first. */
  readonly scope: string
  readonly startLine: number
  readonly endLine: number
  /** The text of the file. Pieces of a long function repeat its signature; a class shows its members without bodies. */
  readonly content: string
  /** The documentation comment in the content. */
  readonly docs?: string
}

/** About 40 to 400 tokens. Lengths are in characters, because counting tokens of every candidate is too slow. */
export const CHUNK_CHARACTERS = { least: 140, merged: 560, whole: 600, most: 1_400 } as const
export const WINDOW_LINES = 60
export const WINDOW_OVERLAP = 10

/** A file with more chunks contains data, whatever its name is. */
export const CHUNKS_PER_FILE_MAX = 2_000

/** Embedded and searched with a chunk, but never shown. */
export const headerOf = (path: string, { scope, symbol }: Pick<Chunk, 'scope' | 'symbol'>): string =>
  [path, scope, symbol].filter((part) => part !== '').join(' › ')

/** The text that is embedded for a chunk. The embedding model may belong to a third party, so `path` must not contain secrets. */
export const embeddedText = (path: string, chunk: Pick<Chunk, 'scope' | 'symbol' | 'content'>): string =>
  `${headerOf(path, chunk)}\n${chunk.content}`
