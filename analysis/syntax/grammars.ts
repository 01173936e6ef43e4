// Grammars for the syntax check and the analysis. Each is loaded once, when the first file of its language
// is parsed.
import { createRequire } from 'node:module'
import { Language, Parser } from 'web-tree-sitter'
import { blankCommentRuns } from './comment-runs.ts'
import { GRAMMAR_FILES } from './grammar-files.ts'
import { blankCallTypes, blankTagTypes } from './tag-types.ts'

export type { Tree, TreeCursor } from 'web-tree-sitter'

export type Grammar = {
  readonly parser: Parser
  /** The text for the parser. Offsets equal those of the original. */
  prepare(text: string): string
  /** Parsing yields to other work, but a parser can handle only one text at a time. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>
}

export const hasGrammar = (path: string): boolean => grammarNameFor(path) !== undefined

/** The grammar for the file, or 'unavailable' if there is none or it did not load. */
export async function grammarFor(path: string): Promise<Grammar | 'unavailable'> {
  const name = grammarNameFor(path) ?? ANALYZED[endingOf(path)]
  return name ? grammarNamed(name) : 'unavailable'
}

/** The grammar by its name in GRAMMAR_FILES, which covers more languages than the syntax check. */
export async function grammarNamed(name: string): Promise<Grammar | 'unavailable'> {
  const loading = grammars.get(name) ?? load(name)
  grammars.set(name, loading)
  return loading
}

function grammarNameFor(path: string): string | undefined {
  return JSON_WITH_COMMENTS.test(path) ? undefined : GRAMMARS[endingOf(path)]
}

const endingOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** JSON files that may contain comments and trailing commas. */
const JSON_WITH_COMMENTS = /(^|\/)(tsconfig|jsconfig|devcontainer)[^/]*\.json$/i

const GRAMMARS: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  tsx: 'tsx',
  py: 'python',
  go: 'go',
  java: 'java',
  php: 'php',
  rb: 'ruby',
  rs: 'rust',
  json: 'json',
  css: 'css',
  html: 'html',
  htm: 'html',
}

/** Good enough for the analysis, but they reject too much usual code to check edits. */
const ANALYZED: Readonly<Record<string, string>> = {
  cs: 'c-sharp',
  csx: 'c-sharp',
  kt: 'kotlin',
  kts: 'kotlin',
  dart: 'dart',
}

/** A grammar that failed to load is not retried: the packages do not change while the process runs. */
const grammars = new Map<string, Promise<Grammar | 'unavailable'>>()
const PREPARE: Readonly<Record<string, Grammar['prepare']>> = {
  typescript: blankTagTypes,
  tsx: blankTagTypes,
  kotlin: blankCallTypes,
  python: blankCommentRuns,
}
let starting: Promise<void> | undefined

async function load(name: string): Promise<Grammar | 'unavailable'> {
  try {
    starting ??= Parser.init()
    await starting
    const file = GRAMMAR_FILES[name]
    if (file === undefined) throw new Error('no installed package has it')
    const parser = new Parser()
    parser.setLanguage(await Language.load(createRequire(import.meta.url).resolve(file)))
    // The first parse compiles the lexer, which must not count against the time limit of a text.
    parser.parse('a')?.delete()
    return { parser, prepare: PREPARE[name] ?? ((text) => text), runExclusive: exclusiveQueue() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.emitWarning(
      `The ${name} grammar did not load (${reason}). Its files are indexed as plain text and are not checked. Reinstall the packages.`,
      { code: 'GRAMMAR_UNAVAILABLE' },
    )
    return 'unavailable'
  }
}

/** Runs tasks one after the other, even if one fails. */
function exclusiveQueue(): Grammar['runExclusive'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
