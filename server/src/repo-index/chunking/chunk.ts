// A piece of a file that is found and shown as one.

export type ChunkKind = 'file' | 'function' | 'class' | 'type' | 'code' | 'section' | 'statement' | 'window'

export type Chunk = {
  readonly kind: ChunkKind
  /** What it defines, by name; several where small ones stand together, empty where it defines nothing. */
  readonly symbol: string
  /** What it stands in, from the outside inwards: classes, headings. */
  readonly scope: string
  readonly startLine: number
  readonly endLine: number
  /** As in the file. A long body that was cut has its signature again, and a class shows its members without their bodies. */
  readonly content: string
  /** The part of the content that explains the rest in words. */
  readonly docs?: string
}

/** Of 40 to 400 tokens, by an estimate: counting each candidate would be most of the work. */
export const CHUNK_CHARACTERS = { least: 140, merged: 560, whole: 600, most: 1_400 } as const
export const WINDOW_LINES = 60
export const WINDOW_OVERLAP = 10

export const PARSE_MS_MAX = 1_000
/** A file that would be more than this is one of data, whatever it is called. */
export const CHUNKS_PER_FILE_MAX = 2_000

/** What is embedded and searched with a chunk, and never shown. */
export const headerOf = (path: string, { scope, symbol }: Pick<Chunk, 'scope' | 'symbol'>): string =>
  [path, scope, symbol].filter((part) => part !== '').join(' › ')

/** The text that stands for a chunk where it is embedded. */
export const embeddedText = (path: string, chunk: Pick<Chunk, 'scope' | 'symbol' | 'content'>): string =>
  `${headerOf(path, chunk)}\n${chunk.content}`
