// Reads an answer of a model that saw placeholders: its edits are applied to what it saw, then get the values back.
import { createHash } from 'node:crypto'
import type { ModelAnswer } from '../../platform/inference/inference.ts'
import type { ContextFile, ContextReport } from '../prompt/context.ts'
import type { Nonce } from '../prompt/markers.ts'
import type { SecretFilter } from '../prompt/secret-filter.ts'
import { type ParsedAnswer, parseAnswer } from './answer.ts'
import { quotePath } from './result.ts'

/** `files` are the caller's own, and so are the contents and digests of the edits that are returned. */
export async function parseAnswerWithSecrets(
  secrets: SecretFilter,
  files: ReadonlyMap<string, string>,
  context: ContextReport,
  nonce: Nonce,
  answer: Pick<ModelAnswer, 'text' | 'finish'>,
): Promise<ParsedAnswer> {
  const hidden = await secrets.hideFiles([...files].map(([path, content]) => ({ path, content })))
  const seen = new Map(hidden.map(({ path, content }) => [path, content]))
  const read = await parseAnswer(seen, addWithheldFiles(context, hidden), nonce, answer)
  const copies = read.edits.filter(({ path, content }) =>
    secrets.hasForeignPlaceholder(content, files.get(path) ?? ''),
  )
  return {
    ...read,
    edits: read.edits.map((edit) => {
      const base = files.get(edit.path)
      return {
        ...edit,
        content: secrets.restore(edit.content),
        baseSha256: base === undefined ? null : createHash('sha256').update(base).digest('hex'),
      }
    }),
    warnings: [...read.warnings, ...copies.map(({ path }) => `secret_copied: ${quotePath(path)}`)],
  }
}

/** A withheld file was shown in no turn, also where a later turn has only some of the files. */
function addWithheldFiles(context: ContextReport, files: readonly ContextFile[]): ContextReport {
  const known = new Set(context.omitted.map(({ path }) => path))
  const unseen = files.flatMap(({ path, withheldLines }) =>
    withheldLines === undefined || known.has(path) ? [] : [{ path, lines: withheldLines, shownLines: 0 }],
  )
  return { ...context, omitted: [...context.omitted, ...unseen] }
}
