// All formats, and the parts of a text that they do not handle: the byte order mark and other line ends.
import { envFormat } from './env.ts'
import type { Change, Format, FormatName, MergeResult, RevertResult } from './format.ts'
import { jsonFormat } from './json.ts'
import { tomlFormat } from './toml.ts'
import { yamlFormat } from './yaml.ts'

const FORMATS: Readonly<Record<FormatName, Format>> = {
  json: jsonFormat,
  toml: tomlFormat,
  yaml: yamlFormat,
  env: envFormat,
}

const MARK = '\uFEFF'

/** Adds the values of a snippet. Throws `UneditableError` and never writes half of them. */
export function mergeSnippet(
  format: FormatName,
  text: string,
  snippet: string,
  defaults: readonly string[],
): MergeResult {
  const { plain, restore } = normalise(text)
  const { text: merged, changes } = FORMATS[format].merge(plain, snippet, defaults)
  return { text: restore(merged), changes }
}

/** Restores the values from before. Values that were changed since stay. */
export function revertChanges(format: FormatName, text: string, changes: readonly Change[]): RevertResult {
  const { plain, restore } = normalise(text)
  const reverted = FORMATS[format].revert(plain, changes)
  return { ...reverted, text: restore(reverted.text) }
}

/** The values of a setup that the text no longer has. */
export const differingValues = (format: FormatName, text: string, changes: readonly Change[]): string[] =>
  FORMATS[format].differing(normalise(text).plain, changes)

function normalise(text: string): { plain: string; restore: (text: string) => string } {
  const mark = text.startsWith(MARK) ? MARK : ''
  const body = text.slice(mark.length)
  const isWindows = body.includes('\r\n') && !/(?<!\r)\n/.test(body)
  return {
    plain: isWindows ? body.replaceAll('\r\n', '\n') : body,
    restore: (edited) => mark + (isWindows ? edited.replaceAll('\n', '\r\n') : edited),
  }
}
