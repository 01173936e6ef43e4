// File names that models write around code: in a comment, quoted, or with `path=`.

/** No such comment is longer than this. */
const COMMENT_CHARS_MAX = 1_000

/** Whether a line is a comment with only the file name. */
export const isPathComment = (line: string, path: string): boolean => readPathComment(line) === path

/** The path in a comment that contains nothing else. */
export function readPathComment(line: string): string | undefined {
  if (line.length > COMMENT_CHARS_MAX) return undefined
  const [, text] = /^(?:\/\/|#|--|<!--|\/\*)(.*)$/.exec(line.trim()) ?? []
  if (text === undefined) return undefined
  const bare = text.trim()
  const end = ['-->', '*/'].find((each) => bare.endsWith(each)) ?? ''
  return parsePath(bare.slice(0, bare.length - end.length).trim())
}

/** Longer text is not a path. */
const PATH_CHARS_MAX = 1_000

/** Removes quotes, bold marks, a `path=` prefix and a leading `./`. */
export function stripDecoration(text: string): string {
  if (text.length > PATH_CHARS_MAX) return text
  const named = /^(?:path|file|filename)\b/i.exec(text.trim())?.[0] ?? ''
  const behind = text.trim().slice(named.length).trimStart()
  const bare = named !== '' && /^[=:]/.test(behind) ? behind.slice(1).trim() : text.trim()
  const path = stripPairs(bare)
  return /^\.\/[^/]/.test(path) ? path.slice(2) : path
}

/** Text without spaces that has a folder or an extension. */
export function parsePath(text: string): string | undefined {
  if (text.length > PATH_CHARS_MAX) return undefined
  const path = stripDecoration(stripPairs(text.trim(), '*_'))
  return /^\S+$/.test(path) && /[\w\])](\.\w{1,12}$|\/\S)|^\.\w+$/.test(path) && !path.includes('://')
    ? path
    : undefined
}

/** Removes matching quotes and asterisks on both sides. */
function stripPairs(text: string, marks = '"\'`*'): string {
  let edge = 0
  const isPaired = () => {
    const [first, last] = [text.charAt(edge), text.charAt(text.length - 1 - edge)]
    return text.length - 2 * edge >= 2 && first === last && marks.includes(first)
  }
  while (isPaired()) edge++
  return text.slice(edge, text.length - edge)
}
