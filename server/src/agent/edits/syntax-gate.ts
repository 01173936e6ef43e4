// Does the changed file still parse? A parser alone answers for every language: places it cannot read must not become
// more than they were, so a file that was broken before may be repaired in steps.
import { stripTypeScriptTypes } from 'node:module'
import type { Node, Parser } from 'web-tree-sitter'
import { parserFor } from './grammars.ts'

export type SyntaxVerdict =
  | { verdict: 'fine' }
  | { verdict: 'worse'; line: number }
  /** No grammar could be loaded, or the file is too much for the time a parser may take. */
  | { verdict: 'unchecked' }

export type SyntaxGate = (path: string, base: string, text: string) => Promise<SyntaxVerdict>

/** How long one text may be parsed. Parsing does not yield, so this is also how long others wait. */
const PARSE_MS_MAX = 250
/** How long all texts of one answer may be parsed; what is left over goes unchecked. */
const ALL_MS_MAX = 2_000

/** The gate for one answer. */
export function createSyntaxGate(parseMsMax = PARSE_MS_MAX, allMsMax = ALL_MS_MAX): SyntaxGate {
  let msLeft = allMsMax
  const problems = (parser: Parser, text: string) => {
    const startedMs = performance.now()
    const found = problemsIn(parser, text, Math.min(parseMsMax, msLeft))
    msLeft -= performance.now() - startedMs
    return found
  }
  return async (path, base, text) => {
    const parser = await parserFor(path)
    if (parser === undefined) return { verdict: 'fine' }
    const after = parser === 'unavailable' ? undefined : problems(parser, text)
    if (!after || parser === 'unavailable') return { verdict: 'unchecked' }
    if (after.count === 0) return { verdict: 'fine' }
    const before = problems(parser, base)
    if (!before) return { verdict: 'unchecked' }
    if (after.count <= before.count || isReadByNode(path, text)) return { verdict: 'fine' }
    return { verdict: 'worse', line: after.line }
  }
}

/** The grammars are older than the languages. Where they stumble over something new, the platform has the last word. */
function isReadByNode(path: string, text: string): boolean {
  if (!/\.[mc]?[tj]s$/.test(path)) return false
  try {
    stripTypeScriptTypes(text)
    return true
  } catch {
    // What it throws says where; we only ask whether.
    return false
  }
}

type Problems = { count: number; line: number }

/** Undefined when the time was up. */
function problemsIn(parser: Parser, text: string, msMax: number): Problems | undefined {
  if (msMax <= 0) return undefined
  if (text.trim() === '') return { count: 0, line: 0 }
  const deadline = performance.now() + msMax
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline })
  parser.reset()
  if (!tree) return undefined
  try {
    return countProblems(tree.rootNode)
  } finally {
    tree.delete()
  }
}

/** More than so many are simply many. */
const PROBLEMS_MAX = 1_000

function countProblems(root: Node): Problems {
  const problems: Problems = { count: 0, line: 0 }
  const waiting: Node[] = [root]
  for (let node = waiting.pop(); node && problems.count < PROBLEMS_MAX; node = waiting.pop()) {
    if (node.isError || node.isMissing) {
      if (problems.count++ === 0) problems.line = node.startPosition.row + 1
    }
    for (const child of node.children.toReversed())
      if (child?.hasError || child?.isMissing) waiting.push(child)
  }
  return problems
}
