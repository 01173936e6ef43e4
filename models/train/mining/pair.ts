// A training or evaluation pair: a sentence about a function, and the function without it.

export type SourceLanguage = 'javascript' | 'typescript' | 'python' | 'java' | 'go' | 'php'

export type Pair = {
  readonly language: SourceLanguage
  readonly path: string
  readonly name: string
  readonly question: string
  /** Signature and body without the documentation, cut to `CODE_CHARACTERS_MAX`. */
  readonly code: string
}

export const CODE_CHARACTERS_MAX = 1_600

export const languageOf = (path: string): SourceLanguage | undefined =>
  LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']

const LANGUAGES: Readonly<Record<string, SourceLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  java: 'java',
  go: 'go',
  php: 'php',
}

/** The text as the index embeds it: path and name come first. */
export const textWithPath = ({ path, name, code }: Pair): string =>
  `${path.split('/').slice(-FOLDERS_MAX).join('/')} › ${name}\n${code}`

/** The location of a package on disk differs from its path in the repository. */
const FOLDERS_MAX = 4
