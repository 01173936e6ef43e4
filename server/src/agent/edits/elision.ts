// Comments that stand in for code: "… rest of the file". Applied as they are, they delete what they stand for.

/** The first added line that leaves something out, or undefined. `removed` is what the change takes away. */
export function elisionIn(added: readonly string[], removed: readonly string[]): string | undefined {
  const isLossy = removed.filter((line) => line.trim() !== '').length >= LINES_MIN
  return added.find((line) => {
    const comment = commentIn(line)
    if (comment === undefined) return false
    return PLACEHOLDER.test(comment) || (isLossy && HINT.test(comment))
  })
}

/** A remark about the rest of something is a remark, unless code goes at the same time. */
const LINES_MIN = 3

/** Nobody writes these but to leave out code. */
const PLACEHOLDER =
  /^[\s(]*(\.\.\.|…)[\s.…]*\(?\s*(the\s+)?(rest|remaining|existing|unchanged|previous|other|same|omitted|keep)\b|^(the\s+)?(rest|remaining|remainder|existing|other|previous)\b[^.]{0,60}\b(unchanged|same|omitted|as before|goes here|here|stays?|remains?)\b[\s.…)]*$|^[\s(]*(rest|remaining|existing)\b.{0,40}(\.\.\.|…)\s*\)?$|\b(omitted|elided|truncated) for (brevity|clarity)\b/i

/** With code going away at the same time these are placeholders too. */
const HINT =
  /^(\.\.\.|…)|(\.\.\.|…)\s*$|\b(rest|remaining|remainder|existing|unchanged)\b.*\b(code|methods?|functions?|files?|class(es)?|implementation|logic|content|imports?|lines?|props|fields)\b|\b(unchanged|same as (before|above))\b/i

/** What a line says if it is a comment and nothing else. */
function commentIn(line: string): string | undefined {
  const [, text] =
    /^\s*(?:\{?\/\*+|\/\/+|#+|--+|<!--|\*|;+|%+|''')\s*(.*?)\s*(?:\*+\/\}?|-->)?\s*$/.exec(line) ?? []
  return text === '' ? undefined : text
}
