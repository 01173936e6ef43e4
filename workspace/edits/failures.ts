// Reasons why a file was not changed, worded so that a model can act on them in the repair turn.

const SENTENCES = {
  cut_off: 'This file has no end in the answer, so it is incomplete.',
  damaged: 'The marks of this block could not be understood.',
  unknown_path: 'This file was not shown, so it cannot be updated or deleted.',
  find_empty: 'FIND was empty, though the file is not.',
  find_missing: 'FIND does not occur in the file.',
  find_ambiguous: 'FIND occurs more than once; quote more lines around it.',
  indent_unknown:
    'FIND is indented in another way than the file, and the new lines do not tell how deep they belong.',
  place_unknown: 'FIND leaves out lines of the file, and the new lines could stand on either side of them.',
  quotes_unknown:
    'FIND has other quotation marks than the file, and so have the new lines; copy them verbatim.',
  elision: 'A comment stands in for code that was left out; write all of it.',
  fragment:
    'Most lines of the file are missing in its new text; write FIND and WITH, or FILE create with all of it if the rest shall go.',
  syntax: 'The changed file would not parse.',
  file_too_large: 'The file is larger than a file may be that is edited, or would become so.',
  total_too_large: 'All edits together are larger than one answer may make them.',
  too_many_hunks: 'The file has more hunks than can be applied; write the whole file.',
  too_costly: 'This took longer than an answer may take; quote fewer lines, and change fewer places at once.',
  unstorable: 'The new text has characters that no text may have: NUL, or half of a pair.',
  too_many_files: 'One answer may change fewer files than this.',
} as const

export type FailureReason = keyof typeof SENTENCES

/** `closest`: real lines of the file, or an existing path, that the model may have meant. */
export type EditFailure = { path: string; reason: FailureReason; message: string; closest?: string }

/** `detail` is a complete sentence, such as which line does not parse. */
export function toEditFailure(
  path: string,
  reason: FailureReason,
  more: { detail?: string | undefined; closest?: string | undefined } = {},
): EditFailure {
  const message = more.detail ? `${SENTENCES[reason]} ${storable(more.detail)}` : SENTENCES[reason]
  return { path, reason, message, ...(more.closest && { closest: storable(more.closest) }) }
}

/** A quotation may be cut in the middle of a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', ' ').toWellFormed()
