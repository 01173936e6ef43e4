// Detects comments that stand in for code ("… rest of the file"). Applied literally, they would delete that code.

/** The first added line that leaves code out, or undefined. `removed` lists the lines that the change removes. */
export function findElision(added: readonly string[], removed: readonly string[]): string | undefined {
  const isLossy = removed.filter((line) => line.trim() !== '').length >= LINES_MIN
  return added.find((line) => {
    const comment = readComment(line)
    if (comment === undefined) return false
    return PLACEHOLDER.test(comment) || (isLossy && isHint(comment))
  })
}

/** A vague comment counts as a placeholder only if the change also removes at least this many lines. */
const LINES_MIN = 3
/** Placeholder comments are short; skip longer lines. */
const LINE_CHARS_MAX = 1_000

/** These phrases only occur where code is left out. The text has single spaces and is trimmed. */
const PLACEHOLDER =
  /^(\( ?)*(\.\.\.|…)[ .…]*(\( ?)?(the )?(rest|remaining|existing|unchanged|previous|other|same|omitted|keep)\b|^(the )?(rest|remaining|remainder|existing|other|previous)\b[^.]{0,60}\b(unchanged|same|omitted|as before|goes here|here|stays?|remains?)\b[ .…)]*$|^(\( ?)*(rest|remaining|existing)\b.{0,40}(\.\.\.|…) ?\)?$|\b(omitted|elided|truncated) for (brevity|clarity)\b/i

/** These phrases are placeholders only if code is removed at the same time. */
function isHint(comment: string): boolean {
  if (/^(\.\.\.|…)/.test(comment) || /(\.\.\.|…)$/.test(comment)) return true
  if (/\b(unchanged|same as (before|above))\b/i.test(comment)) return true
  const rest = /\b(rest|remaining|remainder|existing|unchanged)\b/i.exec(comment)
  return rest !== null && OF_CODE.test(comment.slice(rest.index + rest[0].length))
}

const OF_CODE =
  /\b(code|methods?|functions?|files?|class(es)?|implementation|logic|content|imports?|lines?|props|fields)\b/i

/** The text of a line that is only a comment, with whitespace collapsed. */
function readComment(line: string): string | undefined {
  if (line.length > LINE_CHARS_MAX) return undefined
  const trimmed = line.trim()
  const opening = /^(?:\{?\/\*+|\/\/+|#+|--+|<!--|\*|;+|%+|''')/.exec(trimmed)?.[0]
  if (opening === undefined) return undefined
  const text = stripCommentEnd(trimmed.slice(opening.length)).replace(/\s+/g, ' ').trim()
  return text === '' ? undefined : text
}

function stripCommentEnd(text: string): string {
  if (text.endsWith('-->')) return text.slice(0, -3)
  const inner = text.endsWith('*/}') ? text.slice(0, -3) : text.endsWith('*/') ? text.slice(0, -2) : undefined
  if (inner === undefined) return text
  let end = inner.length
  while (inner.charAt(end - 1) === '*') end--
  return inner.slice(0, end)
}
