// Rules about strings that are run as code or templates.

import type { AbstractValue } from '../../../abstract-value.ts'
import { joinAll } from '../../../engine/values/values.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const codeRules: readonly Rule[] = [
  {
    id: 'JS-CODE-01',
    title: 'Input is run as code',
    cwe: 94,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message:
      'The code runs with all permissions of this process. `vm` is not a sandbox: code can escape from it.',
    fix: 'Parse data with `JSON.parse`, look functions up in a table, and evaluate formulas with an expression library.',
    on: {
      call(event) {
        const code = codeOf(event)
        const hit = code && flowHit(event.expr.at, code, FLOW)
        if (!hit || !code) return undefined
        const isRequest = findTaint(code, { sinks: ['code'] }) !== undefined
        return isRequest || isMistakenForData(event, code) ? hit : undefined
      },
    },
  },
  {
    id: 'JS-SSTI-01',
    title: 'Input is compiled as a template',
    cwe: 1336,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'Template languages can call functions. The author of a template can run code on the server.',
    fix: 'Keep templates in files and pass input to them as data.',
    on: {
      call(event) {
        return TEMPLATES.has(event.name)
          ? flowHit(event.expr.at, event.arg(0)?.value, { sinks: [] })
          : undefined
      },
    },
  },
]

/** The name of a class or function is part of the program. */
const FLOW = {
  sinks: ['code'],
  origins: ['request', 'parameter'],
  except: /^argument (?:[\w$.]*(?:class|ctor|constructor|base|fn|func)\w*)\.name$/i,
} as const

/**
 * A library whose argument is the program is an evaluator by design. A library that inserts a name into
 * code, or reads data, is not.
 */
function isMistakenForData(event: CallEvent, code: AbstractValue): boolean {
  if (isCompiler(event) || isLikeJson(event) || isCalledCode(event) || isSyntaxCheck(event)) return false
  return (
    isInsertedInCode(code) ||
    isInsertedAsName(code) ||
    (code.known === undefined && !isFixed(code) && isReader(event))
  )
}

/**
 * A few parts in otherwise constant code. Code that builds long programs is a compiler and does so on
 * purpose.
 */
function isInsertedInCode({ pieces }: AbstractValue): boolean {
  const [first] = pieces ?? []
  return pieces !== undefined && pieces.length <= PIECES_MAX && typeof first === 'string' && /\S/.test(first)
}

/** `this['` + name + `']` and `function ` + name + `(` insert a name, however long the code is. */
function isInsertedAsName({ pieces = [] }: AbstractValue): boolean {
  return pieces.some((piece, index) => {
    const [before, after] = [pieces[index - 1], pieces[index + 1]]
    if (typeof piece === 'string' || typeof before !== 'string' || typeof after !== 'string') return false
    if (!findTaint(piece, FLOW)) return false
    return (
      (/\['$/.test(before) && /^'\]/.test(after)) ||
      (/\["$/.test(before) && /^"\]/.test(after)) ||
      (/\bfunction\*? $/.test(before) && /^ ?\(/.test(after))
    )
  })
}

const isFixed = ({ pieces }: AbstractValue): boolean => typeof pieces?.[0] === 'string'

/** The function name promises to read data or evaluate a formula, not to run code. */
const isReader = ({ functions }: CallEvent): boolean =>
  functions.some(({ name }) =>
    /^(?:deserialize|unserialize|deserialise|parseJSON|fromJSON|parseJson|evaluateExpression|evalExpression|calculate)$/.test(
      name,
    ),
  )

/** `if (JSON_LIKE.test(text.replace(…)))` is the check that preceded `JSON.parse`. */
const isLikeJson = ({ conditions, source }: CallEvent): boolean =>
  conditions.some(({ at }) => /\.test\([\s\S]*\.replace\(/.test(source(at)))

/** `new Function(text)` compiles the text without running it. */
const isSyntaxCheck = ({ isNew, isUsed }: CallEvent): boolean => isNew && !isUsed

const PIECES_MAX = 6

/** A parameter named `source` or `functionText` asks for code. */
function isCalledCode({ functions, source, expr }: CallEvent): boolean {
  const words = source(expr.at).split(/\W+/)
  const names = (functions[0]?.parameters ?? []).map(({ target }) =>
    target.kind === 'name' ? target.name : '',
  )
  return names.some((name) => PROGRAM_NAME.test(name) && words.includes(name))
}

const PROGRAM_NAME =
  /^(?:code|source|src|script|program|func|js|javascript|function[A-Z]?\w*|\w+(?:Code|Source|Script|Function))$/

/** Functions named as template compilers or code runners. */
const isCompiler = ({ functions }: CallEvent): boolean =>
  functions.some(({ name }) => /^(?:template|tmpl|compile|compileTemplate|render|run)$/i.test(name))

function codeOf(event: CallEvent): AbstractValue | undefined {
  const { name } = event
  if (EVALUATORS.has(name)) return event.arg(0)?.value
  if (FUNCTION_CONSTRUCTORS.has(name)) {
    return event.args.length > 0 ? joinAll(event.args.map(({ value }) => value)) : undefined
  }
  if (name !== 'setTimeout' && name !== 'setInterval') return undefined
  const first = event.arg(0)?.value
  return first && (first.pieces || first.type === 'string') ? first : undefined
}

const FUNCTION_CONSTRUCTORS: ReadonlySet<string> = new Set([
  'Function',
  'AsyncFunction',
  'GeneratorFunction',
  // `Object.getPrototypeOf(async function () {}).constructor` is the only way to get AsyncFunction.
  'Object.getPrototypeOf().constructor',
])

const EVALUATORS: ReadonlySet<string> = new Set([
  'eval',
  'window.eval',
  'global.eval',
  'globalThis.eval',
  'vm.runInContext',
  'vm.runInNewContext',
  'vm.runInThisContext',
  'vm.Script',
  'vm.compileFunction',
  'vm2.VM().run',
  'vm2.NodeVM().run',
  'safe-eval',
  'safer-eval',
  'safer-eval.SaferEval().runInContext',
  'static-eval',
  'notevil',
])

const TEMPLATES: ReadonlySet<string> = new Set(
  [
    'ejs.render',
    'ejs.compile',
    'pug.render',
    'pug.compile',
    'jade.compile',
    'jade.render',
    'handlebars.compile',
    'handlebars.precompile',
    'lodash.template',
    '_.template',
    'underscore.template',
    'doT.template',
    'dot.template',
    'nunjucks.renderString',
    'nunjucks.compile',
    'hogan.js.compile',
    'eta.render',
    'eta.renderString',
    'swig.render',
    'swig.compile',
    'twig.twig',
  ].filter((name) => name !== 'mustache.render'),
)
