// The grammars that tell whether a file parses. Each is loaded when the first file of its language is checked, once.
import { createRequire } from 'node:module'
import { Language, Parser } from 'web-tree-sitter'

/** A parser for the language of the file; undefined when it has none of ours; 'unavailable' when it did not load. */
export async function parserFor(path: string): Promise<Parser | undefined | 'unavailable'> {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const grammar = GRAMMARS[ending]
  if (!grammar || WITH_COMMAS.test(path)) return undefined
  const loading = parsers.get(grammar) ?? load(grammar)
  parsers.set(grammar, loading)
  return loading
}

/** JSON by name, but with commas that JSON does not know. */
const WITH_COMMAS = /(^|\/)(tsconfig|jsconfig|devcontainer)[^/]*\.json$/i

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

/** Parsers of one process. A parser that failed to load stays so: the packages do not change while we run. */
const parsers = new Map<string, Promise<Parser | 'unavailable'>>()
let starting: Promise<void> | undefined

async function load(grammar: string): Promise<Parser | 'unavailable'> {
  try {
    starting ??= Parser.init()
    await starting
    const file = createRequire(import.meta.url).resolve(`tree-sitter-wasms/out/tree-sitter-${grammar}.wasm`)
    const parser = new Parser()
    parser.setLanguage(await Language.load(file))
    return parser
  } catch {
    return 'unavailable'
  }
}
