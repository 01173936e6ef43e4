// What is learnt from, and what is measured with: a sentence about a function, and the function without that sentence.

export type Language = 'javascript' | 'typescript' | 'python' | 'java' | 'go' | 'php'

export type Pair = {
  readonly language: Language
  readonly path: string
  readonly name: string
  readonly question: string
  /** Signature and body without the documentation, cut to `CODE_CHARACTERS_MAX`. */
  readonly code: string
}

export const CODE_CHARACTERS_MAX = 1_600

export const languageOf = (path: string): Language | undefined =>
  LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']

const LANGUAGES: Readonly<Record<string, Language>> = {
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

/** As the index embeds a piece of code: where it stands and what it is called come first. */
export const headedText = ({ path, name, code }: Pair): string =>
  `${path.split('/').slice(-FOLDERS_MAX).join('/')} › ${name}\n${code}`

/** Where a package keeps its sources on a machine is not where its repository has them. */
const FOLDERS_MAX = 4
