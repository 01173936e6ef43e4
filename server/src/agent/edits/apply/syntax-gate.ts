// Does the changed file still parse? A parser alone answers for every language: places it cannot read must not become
// more than they were, so a file that was broken before may be repaired in steps.
import { stripTypeScriptTypes } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { Tree, TreeCursor } from '@cowrie/analysis/syntax/grammars.ts'
import { type Grammar, grammarFor, hasGrammar } from '@cowrie/analysis/syntax/grammars.ts'
import { threadMs } from './work-time.ts'

export type SyntaxVerdict =
  | { verdict: 'fine' }
  | { verdict: 'worse'; line: number }
  /** No grammar could be loaded, or the file is too much for the time a parser may take. */
  | { verdict: 'unchecked' }

export type SyntaxGate = (path: string, base: string, text: string) => Promise<SyntaxVerdict>

/** A longer text goes unchecked. */
const TEXT_CHARS_MAX = 200_000
/** How long one text may be parsed. */
const PARSE_MS_MAX = 200
/** How long all texts of one answer may be parsed; what is left over goes unchecked. */
const ALL_MS_MAX = 1_000
/** A text is parsed in turns of this length, so this is how long others wait. */
const TURN_MS = 20

/** The gate for one answer. */
export function createSyntaxGate(parseMsMax = PARSE_MS_MAX, allMsMax = ALL_MS_MAX): SyntaxGate {
  const left = { ms: allMsMax }
  const problems = (grammar: Grammar, text: string) =>
    grammar.runExclusive(() => findSyntaxProblems(grammar, text, parseMsMax, left))
  return async (path, base, text) => {
    if (!hasGrammar(path)) return { verdict: 'fine' }
    if (Math.max(base.length, text.length) > TEXT_CHARS_MAX) return { verdict: 'unchecked' }
    const grammar = await grammarFor(path)
    if (grammar === 'unavailable') return { verdict: 'unchecked' }
    const after = await problems(grammar, text)
    if (!after) return { verdict: 'unchecked' }
    if (after.count === 0) return { verdict: 'fine' }
    const before = await problems(grammar, base)
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

type SyntaxProblems = { count: number; line: number }

/** Undefined when the time was up. Only the work done here is taken from what is left. */
async function findSyntaxProblems(
  { parser, prepare }: Grammar,
  text: string,
  parseMsMax: number,
  left: { ms: number },
): Promise<SyntaxProblems | undefined> {
  if (text.trim() === '') return { count: 0, line: 0 }
  const turns = createParseTurns(parseMsMax, left)
  const prepared = prepare(text)
  let tree: Tree | null = null
  try {
    // A parser that was stopped goes on where it was when it is given the same text again.
    while (!tree && (await turns.next()))
      tree = parser.parse(prepared, null, { progressCallback: () => turns.isOver() })
    return tree ? await countProblems(tree, turns) : undefined
  } finally {
    tree?.delete()
    parser.reset()
  }
}

/** Work in turns: `isOver` says when it is time for others, `next` lets them go on and says whether time is left. */
type ParseTurns = { isOver(): boolean; next(): Promise<boolean> }

function createParseTurns(msMax: number, left: { ms: number }): ParseTurns {
  let [startedMs, workedBeforeMs, msLeft] = [performance.now(), threadMs(), Math.min(msMax, left.ms)]
  return {
    // Others wait by the clock, and what is left is counted in work: a machine that is busy leaves no more unchecked.
    isOver: () => performance.now() - startedMs > Math.min(TURN_MS, msLeft),
    next: async () => {
      const spentMs = threadMs() - workedBeforeMs
      msLeft -= spentMs
      left.ms -= spentMs
      await setImmediate()
      startedMs = performance.now()
      workedBeforeMs = threadMs()
      return msLeft > 0
    },
  }
}

/** More than so many are simply many. */
const PROBLEMS_MAX = 1_000

/** Walks only into what has a problem. Undefined when the time was up. */
async function countProblems(tree: Tree, turns: ParseTurns): Promise<SyntaxProblems | undefined> {
  const problems: SyntaxProblems = { count: 0, line: 0 }
  const cursor = tree.walk()
  try {
    for (let isMore = true; isMore && problems.count < PROBLEMS_MAX; ) {
      if (turns.isOver() && !(await turns.next())) return undefined
      const node = cursor.currentNode
      const isProblem = node.isError || node.isMissing
      if (isProblem && problems.count++ === 0) problems.line = node.startPosition.row + 1
      isMore = (node.hasError && cursor.gotoFirstChild()) || gotoNext(cursor)
    }
    return problems
  } finally {
    cursor.delete()
  }
}

/** The next node that is not below this one. */
function gotoNext(cursor: TreeCursor): boolean {
  while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false
  return true
}
