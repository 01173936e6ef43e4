// Parses a model's answer: applies its edits to the files that the model saw, and collects the failures.

import { createHash } from 'node:crypto'
import type { EditFailure } from '@cowrie/workspace/edits/failures.ts'
import { type BlockChange, EDIT_LIMITS, type FileBlock } from '@cowrie/workspace/edits/file-block.ts'
import type { ModelAnswer } from '../../platform/inference/inference.ts'
import { applyEnvelope, type FileEdit } from '../edits/apply/apply.ts'
import type { AnswerEnvelope } from '../edits/envelope.ts'
import { intendsEdits } from '../edits/reader/edit-intent.ts'
import { readEnvelopeInChunks } from '../edits/reader/envelope-reader.ts'
import type { ContextFile, ContextReport } from '../prompt/context.ts'
import type { Nonce } from '../prompt/markers.ts'
import type { SecretFilter } from '../prompt/secret-filter.ts'

export type ParsedAnswer = {
  readonly envelope: AnswerEnvelope
  readonly edits: readonly FileEdit[]
  readonly failures: readonly EditFailure[]
  /** Refused paths, as the model wrote them. */
  readonly dropped: readonly { readonly path: string; readonly reason: string }[]
  readonly warnings: readonly string[]
  /** The model intended to change files. */
  readonly intendsEdits: boolean
  /** The text of an answer that intended edits but contains none; null for every other answer. */
  readonly unparsedText: string | null
}

/** `files` are all files; `context` tells which of them the model saw. */
export async function parseAnswer(
  files: ReadonlyMap<string, string>,
  context: ContextReport,
  nonce: Nonce,
  answer: Pick<ModelAnswer, 'text' | 'finish'>,
): Promise<ParsedAnswer> {
  // A content filter truncates an answer as a length limit does.
  const finish = answer.finish === 'content_filter' ? 'length' : answer.finish
  const envelope = await readEnvelopeInChunks(answer.text, nonce, finish, files)
  const sight = toVisibility(context)
  const blind = envelope.blocks.filter((block) => isBlindEdit(sight, block))
  const seeing = { ...envelope, blocks: envelope.blocks.filter((block) => !isBlindEdit(sight, block)) }
  const seen = new Map([...files].filter(([path]) => !sight.unseen.has(path)))
  const applied = await applyEnvelope(seen, seeing, EDIT_LIMITS, files.keys())
  const isIntended = intendsEdits(envelope, files)
  const isUnparsed = isIntended && envelope.blocks.length + envelope.broken.length === 0
  return {
    envelope,
    edits: applied.edits,
    failures: [...blind.map(toBlindEditFailure), ...applied.failures],
    dropped: applied.dropped,
    warnings: [...new Set(applied.warnings)].filter((each) => !isUnparsed || each !== NO_EDITS),
    intendsEdits: isIntended,
    unparsedText: isUnparsed ? answer.text : null,
  }
}

/** Warning of the result if asking again did not help. */
export const NO_EDITS = 'no_edits_parsed'

/** The text that the model wrote for a path; undefined if it wrote none. */
export function attemptedText({ blocks }: AnswerEnvelope, path: string): string | undefined {
  const written = blocks.filter((block) => block.path === path).flatMap(({ change }) => changeTexts(change))
  return written.length === 0 ? undefined : written.join('\n')
}

function changeTexts(change: BlockChange): string[] {
  if (change.kind === 'body') return [change.body]
  return change.kind === 'none' ? [] : change.hunks.map((hunk) => `FIND\n${hunk.find}\nWITH\n${hunk.with}`)
}

type FileVisibility = { readonly unseen: ReadonlySet<string>; readonly partly: ReadonlySet<string> }

const toVisibility = ({ omitted }: ContextReport): FileVisibility => ({
  unseen: new Set(omitted.filter(({ shownLines }) => shownLines === 0).map(({ path }) => path)),
  partly: new Set(omitted.filter(({ shownLines }) => shownLines > 0).map(({ path }) => path)),
})

/** Replacing or deleting a file that the model has not seen completely would lose content. */
const isBlindEdit = ({ unseen, partly }: FileVisibility, { path, change }: FileBlock): boolean =>
  unseen.has(path) || (partly.has(path) && change.kind !== 'hunks')

const toBlindEditFailure = ({ path }: FileBlock): EditFailure => ({
  path,
  reason: 'unknown_path',
  message: 'This file was not shown to its end, so it can be neither replaced as a whole nor deleted.',
})

/**
 * Parses an answer of a model that saw placeholders: applies the edits to the redacted files, then restores the
 * values. `files` and the returned edits have the real contents.
 */
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

/** Withheld files were never shown, even if a later turn lists only some of the files. */
function addWithheldFiles(context: ContextReport, files: readonly ContextFile[]): ContextReport {
  const known = new Set(context.omitted.map(({ path }) => path))
  const unseen = files.flatMap(({ path, withheldLines }) =>
    withheldLines === undefined || known.has(path) ? [] : [{ path, lines: withheldLines, shownLines: 0 }],
  )
  return { ...context, omitted: [...context.omitted, ...unseen] }
}

const SHOWN_CHARACTERS = 200

/** Quotes and escapes a path that may contain anything, so that it is safe to show. */
export const quotePath = (path: string): string =>
  JSON.stringify(path.slice(0, SHOWN_CHARACTERS)).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
