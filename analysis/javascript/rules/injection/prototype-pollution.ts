// Rules about prototype pollution.

import type { AbstractValue, Step } from '../../../abstract-value.ts'
import type { Expr, FunctionDefinition } from '../../../ir.ts'
import type { FunctionEvent, Hit, Rule } from '../../../rule.ts'
import { escapeRegex } from '../../../rule-helpers/escape-regex.ts'
import { memoizeByText } from '../../../rule-helpers/memoize-by-text.ts'
import { boundNames } from '../../ir-walk.ts'
import type { EnclosingContext } from './prototype-facts.ts'
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

/** The file compares a key with one of the dangerous names, or uses a helper that does. */
const GUARDED =
  /['"`/|(]__proto__['"`/|)]|(?:[!=]==?|\bcase)\s*['"](?:constructor|prototype)['"]|['"](?:constructor|prototype)['"]\s*[!=]==?|(?:is|has)?(?:unsafe|dangerous|safe|prototype|polluti\w+|forbidden|invalid)_?(?:key|prop)\w*\(|isPrototypePolluted/i
const isGuarded = memoizeByText((text) => GUARDED.test(text))
const namesConstructor = memoizeByText((text) => CONSTRUCTOR.test(text))
const CONSTRUCTOR =
  /['"`/|(](?:constructor|prototype)['"`/|)]|\b\w*(?:is|has|check|valid|safe|allow|deny|block|forbid|assert|ignor|danger|reject|guard|clean|filter|sanit|ensure|test)\w*(?:key|prop)\w*\(|isPrototypePolluted/i

/** `(function (root, factory) { … })` around a whole file. */
const isWrapper = ({ name, parameters }: FunctionDefinition): boolean =>
  name === '' &&
  parameters.every(({ target }) => target.kind === 'name' && WRAPPER_PARAMETER.test(target.name))

const WRAPPER_PARAMETER =
  /^(?:global|factory|exports|require|module|window|document|root|undefined|_|\$|jQuery|__webpack\w*)$/

type Guard = 'none' | 'complete' | 'elsewhere' | 'without constructor' | 'fixed position'

/** A guard of another function of the file does not protect this one, and a path can also use `constructor.prototype`. */
function guardOf(text: string, outermost: string, own: string): Guard {
  if (!isGuarded(text)) return 'none'
  if (checksFixedPosition(own)) return 'fixed position'
  if (!namesConstructor(text) || (COMPARES_PROTO.test(own) && !CONSTRUCTOR.test(own)))
    return 'without constructor'
  return NAMES_KEY.test(outermost) ? 'complete' : 'elsewhere'
}

/** `path[0] === '__proto__'` before a loop that uses every part of the path. */
function checksFixedPosition(own: string): boolean {
  const checks = own.match(PROTO_CHECK) ?? []
  return (
    checks.length > 0 &&
    checks.every((check) => /\[\d\]\s*[!=]==?/.test(check)) &&
    /\b(?:for|while)\s*\(/.test(own)
  )
}
const PROTO_CHECK = /[\w$.[\]]+\s*[!=]==?\s*['"]__proto__['"]/g
const COMPARES_PROTO = /[!=]==?\s*['"]__proto__['"]|['"]__proto__['"]\s*[!=]==?/

/** The function tests the key itself, or with a helper, a list or a pattern. */
const NAMES_KEY =
  /__proto__|['"`](?:constructor|prototype)['"`]|polluti|(?:unsafe|dangerous|safe|forbidden|invalid|valid|block|deny|black|reserved|allowed|protected|skip)\w*\b|\b(?:is|has|check|assert|get)\w*(?:key|prop)\w*\(|\.(?:test|has|includes|indexOf)\(/i

const GUARD_GAPS: Readonly<Record<Exclude<Guard, 'none' | 'complete'>, string>> = {
  elsewhere: 'Another function of this file checks the keys; this one does not.',
  'fixed position': 'Only one part of the path is checked, but every part is used as a key.',
  'without constructor': 'The check rejects `__proto__`, but not `constructor` followed by `prototype`.',
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
