// Rules about prototype pollution.

import type { AbstractValue, Step } from '../../../abstract-value.ts'
import type { Expr, FunctionDefinition } from '../../../ir.ts'
import type { FunctionEvent, Hit, Rule } from '../../../rule.ts'
import { escapeRegex } from '../../../rule-helpers/escape-regex.ts'
import { boundNames } from '../../ir-walk.ts'
import type { EnclosingContext } from './prototype-facts.ts'
import { GUARD_GAPS, guardOf } from './prototype-guards.ts'
import { prototypeWrites } from './prototype-writes.ts'

export const prototypePollutionRules: readonly Rule[] = [
  {
    id: 'JS-PROTO-01',
    title: 'A key can reach the prototype of all objects',
    cwe: 1321,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'With `__proto__` or `constructor.prototype` among the keys, the value is written to `Object.prototype`, and every object of the process has it.',
    fix: 'Skip the keys `__proto__`, `constructor` and `prototype`, descend only into own properties, or use a `Map`.',
    on: {
      function(event) {
        // An inner function is analyzed with its enclosing function.
        if (event.functions.length > 1 && isInside(event)) return undefined
        return findWrites(event)
      },
    },
  },
]

const isInside = ({ functions, definition }: FunctionEvent): boolean =>
  functions[0] === definition && definition.name === ''

function findWrites(event: FunctionEvent): Hit[] {
  const { definition, functions, path, source, text } = event
  const own = source(definition.at)
  const isWithoutPrototypes = /Object\.create\(null\)|new Map\b/.test(own)
  const given = new Set(definition.parameters.flatMap(({ target }) => boundNames(target)))
  const writes = prototypeWrites(definition, enclosingContext(event)).filter(
    ({ objects }) =>
      !(isWithoutPrototypes && !objects.some((object) => given.has(object))) &&
      !objects.some(
        (object) =>
          object !== '' && (checksOwnProperty(own, object) || isWithoutPrototype(text, own, object)),
      ),
  )
  if (writes.length === 0) return []
  const outermost = functions.findLast((each) => !isWrapper(each)) ?? definition
  const guard = guardOf(text, source(outermost.at), own)
  if (guard === 'complete') return []
  const first = writes.find(({ isMerge }) => !(isMerge && guard === 'without constructor'))
  if (!first) return []
  const hit = { at: first.write.at, flow: parameterStep(event) }
  if (guard !== 'none') return [{ ...hit, severity: 'note', detail: GUARD_GAPS[guard] }]
  if (INTERNAL.test(path) || mergesSettings(event) || first.isTable) return [{ ...hit, severity: 'note' }]
  return definition.isExported ? [hit, { at: hit.at, ...INTERNAL_HELPER }] : [hit]
}

/** The only hit if only the project itself calls the function. Without a flow, it does not start at a parameter. */
const INTERNAL_HELPER = {
  severity: 'note',
  confidence: 'low',
  detail: 'Only this project calls the function, so check which keys the callers pass.',
} as const

/** Folders whose functions only the package itself calls. */
const INTERNAL = /(?:^|\/)(?:internals?|_internal|private)\//

/** Not exported, and every call in the file passes the settings of the developer. */
function mergesSettings({ definition, text }: FunctionEvent): boolean {
  const { name, isExported } = definition
  if (isExported || !/^\w+$/.test(name)) return false
  const own = definition.at
  const calls = [...text.matchAll(new RegExp(`\\b${name}\\(([^()\\n]*)\\)`, 'g'))].filter(
    ({ index }) => index < own.start || index > own.end,
  )
  return calls.length > 0 && calls.every(([, args]) => SETTINGS_ARGUMENT.test(args ?? ''))
}

const SETTINGS_ARGUMENT = /,\s*(?:\w+\.)?(?:options?|opts|config(?:uration)?|settings|preferences)\s*$/i

/** The flow starts at the parameters, so functions that only the project itself calls are not reported. */
function parameterStep({ definition, path }: FunctionEvent): Step[] {
  const target = definition.parameters[0]?.target
  return target?.kind === 'name' ? [{ path, at: target.at, what: `argument ${target.name}` }] : []
}

function enclosingContext({ functions, definition, lookUp }: FunctionEvent): EnclosingContext {
  const outer = functions.filter((each) => each !== definition).map(({ name }) => name)
  return {
    outer,
    resolve: (callee) => resolve(lookUp, callee)?.callable?.definition,
    isFresh: (name) => isObject(lookUp(name)),
  }
}

const isObject = (value: AbstractValue | undefined): boolean =>
  value?.fields !== undefined &&
  value.taints.length === 0 &&
  !value.classDefinition &&
  !value.callable &&
  value.type === undefined

function resolve(lookUp: FunctionEvent['lookUp'], expr: Expr): AbstractValue | undefined {
  if (expr.kind === 'name') return lookUp(expr.name)
  return expr.kind === 'member' ? resolve(lookUp, expr.object)?.fields?.get(expr.property) : undefined
}

/** `const node = this.values`, where another function of the file assigns `this.values = Object.create(null)`. */
function isWithoutPrototype(text: string, own: string, object: string): boolean {
  const field = new RegExp(`(?<![\\w$.])${escapeRegex(object)}\\s*=\\s*this\\.([\\w$]+)\\s*[;,\\n]`).exec(
    own,
  )?.[1]
  return (
    field !== undefined &&
    new RegExp(`this\\.${escapeRegex(field)}\\s*=\\s*Object\\.create\\(null\\)`).test(text)
  )
}

/** Descends only into own properties of the target. */
function checksOwnProperty(text: string, object: string): boolean {
  const name = escapeRegex(object)
  // `for (key in object) if (object.hasOwnProperty(key))` only lists the properties.
  const source = text.replace(
    /\bfor\s?\((?:var|let|const)? ?(\w{1,40}) in (\w{1,40})\)\s*\{?\s*if\s?\(\2\.hasOwnProperty\(\1\)/g,
    '',
  )
  return new RegExp(
    `hasOwnProperty\\.call\\(\\s*${name}\\b|\\b${name}\\.hasOwnProperty\\(|[hH]asOwn\\w*\\(\\s*${name}\\b|\\bhas\\(\\s*${name}\\b|getOwnPropertyNames\\(\\s*${name}\\b`,
  ).test(source)
}

/** `(function (root, factory) { … })` around a whole file. */
const isWrapper = ({ name, parameters }: FunctionDefinition): boolean =>
  name === '' &&
  parameters.every(({ target }) => target.kind === 'name' && WRAPPER_PARAMETER.test(target.name))

const WRAPPER_PARAMETER =
  /^(?:global|factory|exports|require|module|window|document|root|undefined|_|\$|jQuery|__webpack\w*)$/
