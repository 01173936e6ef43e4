// Fixes small mistakes that a test reveals: a wrong operator, a number that is off by one, a wrong comparison or name.
import { evaluate, type Value } from './expression.ts'
import { type FunctionSpan, findFunction, isTestFile, languageOf } from './source-code.ts'

const REPAIR =
  /\b(fix|repair|debug|correct)\b.{0,60}\b(tests?|bug|code|function|operator|off.by.one|failing)\b|\bmake\b.{0,40}\b(pass|green|work)\b|\bfail(s|ing|ed)?\b/i
export const isRepair = (sentence: string): boolean => REPAIR.test(sentence)

type Assertion = { readonly name: string; readonly args: readonly Value[]; readonly expected: Value }

const CALL = String.raw`\b(\w{1,60})\(([^()\n]{0,200})\)`
const LITERAL = String.raw`(-?[\d.]+|"[^"\n]*"|'[^'\n]*'|true|false|True|False)`
const ASSERTIONS = [
  String.raw`\b(?:assert|t|self)\.\w{0,20}[eE]qual\(\s*${CALL},\s*${LITERAL}`,
  String.raw`\bexpect\(\s*${CALL}\s*\)\.to\w{2,12}\(\s*${LITERAL}`,
  String.raw`\bassert ${CALL} (?:==|is) ${LITERAL}`,
]

/** Describes the fix; null when no single small change satisfies the assertions. */
export function repair(files: Map<string, string>, output: string): string | null {
  const tests = [...files].filter(([path]) => isTestFile(path)).map(([, text]) => text)
  const assertions = assertionsIn([...tests, output].join('\n').slice(0, 200_000))
  for (const name of new Set(assertions.map((each) => each.name))) {
    const own = assertions.filter((each) => each.name === name)
    for (const [path, text] of files) {
      const span = isTestFile(path) || !languageOf(path) ? undefined : findFunction(text, name)
      const fixed = span && fixedBody(text, span, own)
      if (!span || !fixed) continue
      files.set(path, text.slice(0, span.bodyStart) + fixed.body + text.slice(span.end))
      return `Fixed \`${name}\` in ${path}: \`${fixed.from}\` is now \`${fixed.to}\`.`
    }
  }
  return null
}

function assertionsIn(text: string): Assertion[] {
  return ASSERTIONS.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, 'g'))])
    .slice(0, 50)
    .flatMap(([, name = '', list = '', literal = '']) => {
      const args = list.trim() === '' ? [] : list.split(',').map((each) => evaluate(each))
      const expected = evaluate(literal)
      const isKnown = expected !== undefined && args.every((each) => each !== undefined)
      return isKnown ? [{ name, args: args as Value[], expected }] : []
    })
}

/** Possible replacements of a token, the likeliest first. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  ...{ '+': '- *', '-': '+', '*': '+ /', '/': '*', '&&': '||', '||': '&&' },
  ...{ '<': '<= >', '<=': '< >=', '>': '>= <', '>=': '> <=' },
  ...{ '===': '!==', '!==': '===', '==': '!=', '!=': '==' },
}
const TOKEN = /===|!==|==|!=|<=|>=|=>|&&|\|\||[-+*/<>]|\b\d+\b|\b[A-Za-z_]\w*\b/g

function fixedBody(text: string, { bodyStart, end, params }: FunctionSpan, assertions: readonly Assertion[]) {
  const body = text.slice(bodyStart, end)
  const isSimple = body.length <= 2_000 && statementsOf(body).every((line) => RETURN.test(line))
  if (!isSimple || satisfies(body, params, assertions)) return loopFix(body)
  const tokens = [...body.matchAll(TOKEN)]
  // A wrong name is less likely than a wrong operator or number.
  for (const isName of [false, true]) {
    for (const { 0: from, index } of tokens.filter(([token]) => params.includes(token) === isName)) {
      for (const to of isName ? params : alternativesOf(from)) {
        const changed = body.slice(0, index) + to + body.slice(index + from.length)
        if (satisfies(changed, params, assertions)) return { body: changed, from, to }
      }
    }
  }
  return null
}

function alternativesOf(token: string): readonly string[] {
  if (/^\d+$/.test(token)) return [Number(token) + 1, Math.max(0, Number(token) - 1)].map(String)
  return Object.hasOwn(ALTERNATIVES, token) ? (ALTERNATIVES[token] ?? '').split(' ') : []
}

/** Loops are not evaluated. One that runs past the end of a list is recognised by its form. */
function loopFix(body: string) {
  const found = /\b(\w+) <= ([\w.]+\.length)\b/.exec(body)
  if (!found) return null
  const to = `${found[1]} < ${found[2]}`
  return { body: body.replace(found[0], () => to), from: found[0], to }
}

const RETURN = /^\s*(?:if (?:\((.+)\)|(.+):)\s*\{?\s*)?return ([^;\n]+);?\s*\}?\s*$/

/** Each `return`, with the condition before it. An arrow function is one `return`. */
function statementsOf(body: string): string[] {
  if (!/\breturn\b/.test(body)) return [`return ${body.replace(/;$/, '')}`]
  const lines = body
    .replace(/\}\s*$/, '')
    .replaceAll(/(:|\{)\s*\n\s*(?=return)/g, '$1 ')
    .replaceAll(/\n\s*\}/g, ' }')
  return lines.split('\n').filter((line) => line.trim() !== '')
}

function satisfies(body: string, params: readonly string[], assertions: readonly Assertion[]): boolean {
  const statements = statementsOf(body).map((line) => RETURN.exec(line))
  return assertions.every(({ args, expected }) => {
    const variables = new Map(
      params.flatMap((param, i) => (args[i] === undefined ? [] : [[param, args[i]] as const])),
    )
    const taken = statements.find((each) => {
      const condition = each?.[1] ?? each?.[2]
      return condition === undefined || evaluate(condition, variables) === true
    })
    return evaluate(taken?.[3] ?? '', variables) === expected
  })
}
