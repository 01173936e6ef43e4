// Recognises lines that are only a comment. The file extension determines the comment syntax.

export type CommentMatcher = (line: string) => boolean

export function createCommentMatcher(path: string): CommentMatcher {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const pattern = PATTERNS.find(([endings]) => endings.includes(ending))?.[1]
  return (line) => line.length <= LINE_CHARS_MAX && (pattern?.test(line) ?? false)
}

/** Longer lines count as code. */
const LINE_CHARS_MAX = 1_000

const STARRED = String.raw`\/\*|\*( |\/|\*|$)`
const PATTERNS: readonly (readonly [readonly string[], RegExp])[] = [
  [
    [
      'js',
      'jsx',
      'mjs',
      'cjs',
      'ts',
      'tsx',
      'mts',
      'cts',
      'go',
      'java',
      'rs',
      'c',
      'h',
      'cc',
      'cpp',
      'cs',
      'kt',
      'swift',
      'dart',
      'scss',
      'vue',
      'svelte',
    ],
    new RegExp(String.raw`^\s*(\/\/|\{\/\*|<!--|${STARRED})`),
  ],
  [['php'], new RegExp(String.raw`^\s*(\/\/|#(?!\[)|<!--|${STARRED})`)],
  [['css', 'less'], /^\s*(\/\*|\*( [^{]*$|\/|$))/],
  [['py', 'rb', 'sh', 'bash', 'yml', 'yaml', 'toml', 'ex', 'exs', 'tf', 'r', 'pl'], /^\s*#(?!!)/],
  [['sql', 'lua', 'hs'], /^\s*(--|\/\*|\*( |\/|$))/],
  [['html', 'htm', 'xml', 'svg', 'md'], /^\s*<!--/],
]
