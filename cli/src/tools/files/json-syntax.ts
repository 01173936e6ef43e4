// A small syntax check: a JSON file that parsed must still parse. Other languages need a parser that this program does not have.
import type { SyntaxGate } from '@cowrie/workspace/edits/syntax-verdict.ts'

export const checkJsonSyntax: SyntaxGate = async (path, base, text) => {
  if (!/\.json$/i.test(path) || problemIn(base) !== null) return { verdict: 'fine' }
  const at = problemIn(text)
  if (at === null) return { verdict: 'fine' }
  return { verdict: 'worse', line: text.slice(0, at).split('\n').length }
}

/** The position of the problem; null if the text parses. */
function problemIn(text: string): number | null {
  try {
    JSON.parse(text.replace(/^\ufeff/, ''))
    return null
  } catch (error) {
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? []
    return position === undefined ? text.length : Number(position)
  }
}
