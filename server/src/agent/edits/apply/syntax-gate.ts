// Checks that the changed file still parses. The number of syntax errors must not grow, so a broken file may be
// repaired in steps.
import { stripTypeScriptTypes } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { Tree, TreeCursor } from '@cowrie/analysis/syntax/grammars.ts'
import { type Grammar, grammarFor, hasGrammar } from '@cowrie/analysis/syntax/grammars.ts'
import type { SyntaxGate } from '@cowrie/workspace/edits/syntax-verdict.ts'
import { threadMs } from '@cowrie/workspace/edits/work-time.ts'

/** Longer texts are not checked. */
const TEXT_CHARS_MAX = 200_000
/** Time limit for one text. */
const PARSE_MS_MAX = 200
/** Time limit for all texts of one answer; the rest is not checked. */
const ALL_MS_MAX = 1_000
/** The parser yields to other requests after this time. */
const TURN_MS = 20

/** Creates the syntax check for one answer. */
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

/** The grammars lag behind the languages. If they reject new syntax, the parser of Node.js decides. */
function isReadByNode(path: string, text: string): boolean {
  if (!/\.[mc]?[tj]s$/.test(path)) return false
  try {
    stripTypeScriptTypes(text)
    return true
  } catch {
    // Only whether it parses matters, not the error.
    return false
  }
}

type SyntaxProblems = { count: number; line: number }

/** Returns undefined on timeout. Only CPU time spent here counts. */
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
    // A stopped parser resumes when it gets the same text again.
    while (!tree && (await turns.next()))
      tree = parser.parse(prepared, null, { progressCallback: () => turns.isOver() })
    return tree ? await countProblems(tree, turns) : undefined
  } finally {
    tree?.delete()
    parser.reset()
  }
}

/** Time slices: `isOver` says when to yield; `next` yields and says whether time is left. */
type ParseTurns = { isOver(): boolean; next(): Promise<boolean> }

function createParseTurns(msMax: number, left: { ms: number }): ParseTurns {
  let [startedMs, workedBeforeMs, msLeft] = [performance.now(), threadMs(), Math.min(msMax, left.ms)]
  return {
    // Slices are measured by wall clock; the limit is measured in CPU time, so a busy machine checks as much as an
    // idle one.
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

/** Stop counting at this number. */
const PROBLEMS_MAX = 1_000

/** Visits only nodes that contain an error. Returns undefined on timeout. */
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

/** Moves to the next node that is not a descendant. */
function gotoNext(cursor: TreeCursor): boolean {
  while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false
  return true
}
