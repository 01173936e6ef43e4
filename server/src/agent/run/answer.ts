// From a model's answer to what can be done with it: its edits on the files it was shown, and all that could not be.
import type { ModelAnswer } from '../../platform/inference/inference.ts'
import {
  type AnswerEnvelope,
  applyEnvelope,
  type BlockChange,
  EDIT_LIMITS,
  type EditFailure,
  type FileBlock,
  type FileEdit,
  intendsEdits,
  readEnvelopeInChunks,
} from '../edits/edits.ts'
import type { ContextReport } from '../prompt/context.ts'
import type { Nonce } from '../prompt/markers.ts'

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
  const isTry = intendsEdits(envelope, files)
  const isUnread = isTry && envelope.blocks.length + envelope.broken.length === 0
  return {
    envelope,
    edits: applied.edits,
    failures: [...blind.map(toBlindEditFailure), ...applied.failures],
    dropped: applied.dropped,
    warnings: [...new Set(applied.warnings)].filter((each) => !isUnread || each !== NO_EDITS),
    intendsEdits: isTry,
    unparsedText: isUnread ? answer.text : null,
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
