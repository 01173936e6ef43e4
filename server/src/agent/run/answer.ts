// From a model's answer to what can be done with it: its edits on the files it was shown, and all that could not be.

import { createHash } from 'node:crypto'
import type { ModelAnswer } from '../../platform/inference/inference.ts'
import { applyEnvelope, type FileEdit } from '../edits/apply/apply.ts'
import type { EditFailure } from '../edits/apply/failures.ts'
import { type AnswerEnvelope, type BlockChange, EDIT_LIMITS, type FileBlock } from '../edits/envelope.ts'
import { intendsEdits } from '../edits/reader/edit-intent.ts'
import { readEnvelopeInChunks } from '../edits/reader/envelope-reader.ts'
import type { ContextFile, ContextReport } from '../prompt/context.ts'
import type { Nonce } from '../prompt/markers.ts'
import type { SecretFilter } from '../prompt/secret-filter.ts'

export type ParsedAnswer = {
  readonly envelope: AnswerEnvelope
  readonly edits: readonly FileEdit[]
  readonly failures: readonly EditFailure[]
  /** Paths that no edit may have, as the model wrote them. */
  readonly dropped: readonly { readonly path: string; readonly reason: string }[]
  readonly warnings: readonly string[]
  /** The model meant to change files. */
  readonly intendsEdits: boolean
  /** The text of an attempt in which no edit could be found; null for every other answer. */
  readonly unparsedText: string | null
}

/** `files` are all there are; `context` says which of them the model could see. */
export async function parseAnswer(
  files: ReadonlyMap<string, string>,
  context: ContextReport,
  nonce: Nonce,
  answer: Pick<ModelAnswer, 'text' | 'finish'>,
): Promise<ParsedAnswer> {
  // What a filter withheld is missing as much as what a limit cut off.
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

/** Told by the outcome where asking again did not help either. */
export const NO_EDITS = 'no_edits_parsed'

/** What the model tried for a path, as it would write it again; nothing where it wrote nothing. */
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

/** Writing a whole file that one has not read to its end, or deleting it, would lose what is in it. */
const isBlindEdit = ({ unseen, partly }: FileVisibility, { path, change }: FileBlock): boolean =>
  unseen.has(path) || (partly.has(path) && change.kind !== 'hunks')

const toBlindEditFailure = ({ path }: FileBlock): EditFailure => ({
  path,
  reason: 'unknown_path',
  message: 'This file was not shown to its end, so it can be neither replaced as a whole nor deleted.',
})

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

const SHOWN_CHARACTERS = 200

/** A path that may be anything, so that it can be read and does no harm where it is shown. */
export const quotePath = (path: string): string =>
  JSON.stringify(path.slice(0, SHOWN_CHARACTERS)).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
