// Repairs what tests complain about, as far as small slips go.
import { findFunction, functionNames } from '../coding/functions.ts'
import { isTestPath, languageOf } from '../coding/language.ts'
import type { Doing } from '../coding/recogniser.ts'
import { type Workspace, write } from '../coding/workspace.ts'
import type { Language } from '../known/known.ts'
import { assertionsAbout } from './assertions.ts'
import { withKnownBody } from './known-body.ts'
import { supplyImports } from './missing-names.ts'
import { withReturn } from './missing-return.ts'
import { correctNames } from './spelling.ts'
import { judge, withRightExpression } from './wrong-expression.ts'

/** Functions that are looked at; a repair of more is not small. */
const FUNCTIONS_MAX = 100

/** `output` is what the tests printed, or what the task says about it. Null: nothing here can be repaired. */
export function repair(workspace: Workspace, output: string): Doing | null {
  const evidence = evidenceOf(workspace, output)
  const said = [
    ...correctNames(workspace, output),
    ...supplyImports(workspace),
    ...correctSyntax(workspace, output),
    ...mendAll(workspace, evidence),
  ]
  // Nothing was proved wrong. Then it is what the tests are about, as far as that is well known.
  if (said.length === 0) said.push(...mendAll(workspace, { ...evidence, output: evidence.tests }))
  if (said.length === 0) return null
  return {
    steps: ['Read what the tests expect and what they got.', ...said],
    said: said.join(' '),
  }
}

const mendAll = (workspace: Workspace, evidence: Evidence): readonly string[] =>
  functionsOf(workspace).flatMap(
    ({ path, name, language }) => mend(workspace, path, name, language, evidence) ?? [],
  )

type Evidence = { readonly tests: string; readonly output: string }

function evidenceOf(workspace: Workspace, output: string): Evidence {
  const tests = [...workspace.files].filter(([path]) => isTestPath(path)).map(([, text]) => text)
  return { tests: `${tests.join('\n')}\n${output}`.slice(0, 200_000), output: output.slice(0, 100_000) }
}

const functionsOf = (workspace: Workspace) =>
  [...workspace.files]
    .flatMap(([path, text]) => {
      const language = languageOf(path)
      if (language === undefined || isTestPath(path)) return []
      return functionNames(text, language).map((name) => ({ path, name, language }))
    })
    .slice(0, FUNCTIONS_MAX)

function mend(
  workspace: Workspace,
  path: string,
  name: string,
  language: Language,
  evidence: Evidence,
): string | undefined {
  const text = workspace.files.get(path) ?? ''
  const isSpokenOf = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`)
  if (!isSpokenOf.test(evidence.tests)) return undefined
  const assertions = assertionsAbout(name, evidence.tests, language)
  const returned = assertions.length > 0 ? withReturn(text, name, language) : undefined
  if (returned !== undefined) {
    write(workspace, path, returned, `${name} forgot to return its result`)
    return `\`${name}\` in ${path} returns its result now.`
  }
  const span = findFunction(text, name, language)
  const judged = span === undefined ? 'right' : judge(text, span, language, assertions)
  if (judged === 'right') return undefined
  const right = judged === 'wrong' ? withRightExpression(text, name, language, assertions) : undefined
  if (right !== undefined) {
    write(workspace, path, right.text, `${name}: ${right.from} should be ${right.to}`)
    return `In \`${name}\` of ${path}, \`${right.from}\` became \`${right.to}\`, which gives what the tests expect.`
  }
  // Without arithmetic that proves it wrong, it is left alone unless the tests complain about it by name.
  if (judged === 'unknown' && !isSpokenOf.test(evidence.output)) return undefined
  const known = withKnownBody(text, name, language)
  if (known === undefined) return undefined
  write(workspace, path, known, `${name} as it is commonly written`)
  return `Rewrote \`${name}\` in ${path} the way it is commonly written.`
}

/** Python says where a colon is missing. */
function correctSyntax(workspace: Workspace, output: string): readonly string[] {
  const [, file, line] =
    /File "([^"\n]+)", line (\d+)[\s\S]{0,400}?SyntaxError: expected ':'/.exec(output) ?? []
  const path = [...workspace.files.keys()].find((each) => file?.endsWith(each))
  if (path === undefined || line === undefined) return []
  const lines = (workspace.files.get(path) ?? '').split('\n')
  const at = Number(line) - 1
  const broken = lines[at]
  if (broken === undefined || broken.trimEnd().endsWith(':')) return []
  lines[at] = `${broken.trimEnd()}:`
  write(workspace, path, lines.join('\n'), 'a colon was missing')
  return [`Line ${line} of ${path} has its colon now.`]
}
