// Reads from tests, and from what they printed, what a function should return.
import { closingOf, splitArguments } from '../coding/brackets.ts'
import type { Language, Value } from '../known/known.ts'
import { evaluate } from './expression.ts'

export type Assertion = { readonly args: readonly Value[]; readonly expected: Value }

const ASSERTIONS_MAX = 50
const CALLS_MAX = 300
const NOTHING: ReadonlyMap<string, Value> = new Map()

const LITERAL =
  '(-?[\\d][\\d_.]*|"(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\\\n]|\\\\.)*\'|true|false|True|False|null|None|undefined|\\[[^\\]\\n]*\\])'

/** What stands after the call: how the expected value is written. */
const AFTER: readonly RegExp[] = [
  new RegExp(`^\\s*(?:===?|is)\\s*${LITERAL}`),
  new RegExp(`^\\s*\\)\\s*\\.(?:toBe|toEqual|toStrictEqual|toBeCloseTo)\\(\\s*${LITERAL}`),
  new RegExp(`^\\s*=\\s*[^;,\\n]+[;,]\\s*(?:want|expected|wanted)\\s+${LITERAL}`),
  new RegExp(`^\\s*;\\s*\\w+\\s*!=\\s*${LITERAL}`),
]
const AFTER_COMMA = new RegExp(`^\\s*,\\s*${LITERAL}\\s*[,)]`)

/** Those about one function, each once. */
export function assertionsAbout(name: string, text: string, language: Language): readonly Assertion[] {
  const found = new Map<string, Assertion>()
  const call = new RegExp(`(?<![\\w$.])(?:\\w+\\.)?${name.replaceAll('$', '\\$')}\\(`, 'g')
  for (const { index, 0: head } of text.matchAll(call).take(CALLS_MAX)) {
    const open = index + head.length - 1
    const line = text.slice(open, open + 2_000)
    const close = closingOf(line, 0, language)
    if (close === undefined) continue
    const args = splitArguments(line.slice(1, close), language).map((each) =>
      evaluate(each, NOTHING, language === 'py'),
    )
    const expected = expectedBy(text.slice(Math.max(0, index - 40), index), line.slice(close + 1))
    if (expected === undefined || args.some((each) => each === undefined)) continue
    const assertion = { args: args.map((each) => each?.value ?? null), expected: expected.value }
    found.set(JSON.stringify(assertion.args), assertion)
    if (found.size === ASSERTIONS_MAX) break
  }
  return [...found.values()]
}

function expectedBy(before: string, after: string): { readonly value: Value } | undefined {
  for (const pattern of AFTER) {
    const literal = pattern.exec(after)?.[1]
    if (literal !== undefined) return evaluate(literal, NOTHING, false)
  }
  if (
    /\b(equal|strictEqual|deepEqual|deepStrictEqual|is|assertEqual|assertEquals|assertSame|assertAlmostEqual)\(\s*$/i.test(
      before,
    )
  ) {
    const literal = AFTER_COMMA.exec(after)?.[1]
    return literal === undefined ? undefined : evaluate(literal, NOTHING, false)
  }
  if (/\b(assertFalse\(|assert not|assert\(!|assert\.ok\(!)\s*$/.test(before)) return { value: false }
  if (/\b(assertTrue\(|assert\.ok\(|assert\()\s*$/.test(before) && /^\s*[,)]/.test(after))
    return { value: true }
  return /(^|\n)[>\s]*assert\s+$/.test(before) && /^\s*(\n|$|,)/.test(after) ? { value: true } : undefined
}
