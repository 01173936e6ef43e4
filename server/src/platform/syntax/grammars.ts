// The grammars that tell whether a file parses. Each is loaded when the first file of its language is checked, once.
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { Language, Parser } from 'web-tree-sitter'

export type Grammar = {
  readonly parser: Parser
  /** A text is parsed in several turns, and the parser can have only one text in work. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export const hasGrammar = (path: string): boolean => nameFor(path) !== undefined

/** The grammar for the language of the file; 'unavailable' when it did not load, or when there is none. */
export async function grammarFor(path: string): Promise<Grammar | 'unavailable'> {
  const name = nameFor(path)
  return name ? grammarNamed(name) : 'unavailable'
}

/** The grammar of a language as its package names it, for whoever reads more languages than are checked. */
export async function grammarNamed(name: string): Promise<Grammar | 'unavailable'> {
  const loading = grammars.get(name) ?? load(name)
  grammars.set(name, loading)
  return loading
}

function nameFor(path: string): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return WITH_COMMAS.test(path) ? undefined : GRAMMARS[ending]
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

/** Grammars of one process. One that failed to load stays so: the packages do not change while we run. */
const grammars = new Map<string, Promise<Grammar | 'unavailable'>>()
let starting: Promise<void> | undefined

/**
 * The lexers of some grammars are single functions of a megabyte: to optimise one takes up to gigabytes, and has ended the
 * whole process where there was no more. Compiled simply they are a third slower and as large as they look.
 */
const SIMPLY = ['--liftoff', '--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']

async function start(): Promise<void> {
  for (const flag of SIMPLY) setFlagsFromString(flag)
  await Parser.init()
}

async function load(name: string): Promise<Grammar | 'unavailable'> {
  try {
    starting ??= start()
    await starting
    const file = createRequire(import.meta.url).resolve(`tree-sitter-wasms/out/tree-sitter-${name}.wasm`)
    const parser = new Parser()
    parser.setLanguage(await Language.load(file))
    return { parser, alone: queue() }
  } catch {
    return 'unavailable'
  }
}

/** One after the other, whatever became of the one before. */
function queue(): Grammar['alone'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
