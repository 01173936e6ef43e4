// Edits of configuration files that keep everything else: comments, order, spaces and unknown settings.
import type { ClientFile } from '@cowrie/sdk/clients'

/** A key of an object, or the element of a list with this name. */
export type Segment = string | { readonly name: string }

/** One value that a setup changed. Texts are as written in the file. */
export type Change = {
  readonly path: readonly Segment[]
  /** Null when the value was absent. */
  readonly before: string | null
  readonly after: string
  /** How many leading segments of the path existed before. The others are removed again when they are empty. */
  readonly existing: number
  /** Written only because it was missing, such as a schema version. It stays if the file has other content. */
  readonly isDefault?: true
}

export type MergeResult = { readonly text: string; readonly changes: readonly Change[] }

export type RevertResult = {
  readonly text: string
  /** The values that were changed since, which stay. */
  readonly kept: readonly string[]
  /** Whether nothing is left but default values. */
  readonly isEmpty: boolean
}

/** Texts have no byte order mark and end their lines with a line feed. */
export type Format = {
  merge(text: string, snippet: string, defaults: readonly string[]): MergeResult
  revert(text: string, changes: readonly Change[]): RevertResult
  /** The values that differ from those of the setup. */
  differing(text: string, changes: readonly Change[]): string[]
}

export type FormatName = ClientFile['format']

/** The file is not valid, or uses a form that cannot be edited safely. */
export class UneditableError extends Error {
  override readonly name = 'UneditableError'
}

export const labelOf = (path: readonly Segment[]): string =>
  path.map((segment) => (typeof segment === 'string' ? segment : `"${segment.name}"`)).join('.')

export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length

export const splice = (text: string, start: number, end: number, replacement: string): string =>
  text.slice(0, start) + replacement + text.slice(end)

/** The position after the line feed that ends this line. */
export function endOfLine(text: string, position: number): number {
  const end = text.indexOf('\n', position)
  return end < 0 ? text.length : end + 1
}

export const startOfLine = (text: string, position: number): number =>
  text.lastIndexOf('\n', position - 1) + 1

/** Ends the last line, so that another can follow. */
export const withFinalLineEnd = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}\n`
