// Finds webhook handlers that write before the sender is authenticated.

import type { Expr, FunctionDefinition, Language, Stmt } from '../../ir.ts'
import type { Hit, ProjectEvent } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { isNamedCheck } from './calls.ts'
import { evaluate } from './evaluate.ts'
import { UNKNOWN } from './facts.ts'
import { isProviderEntry, isProviderScript, parameterFact, referencesIn, wordsIn } from './handlers.ts'
import {
  type Project,
  type ProjectFunction,
  projectOf,
  type Registration,
  resolver,
  type SenderHits,
} from './project.ts'
import { filtersOf, isRailsFilter } from './rails-filters.ts'
import { aliasesOf, namedPaths } from './routes.ts'
import { execute } from './statements.ts'
import { bind, type Walk } from './walk.ts'

const STEPS_MAX = 8_000
const ENTRIES_MAX = 200

export function senderHits(event: ProjectEvent): SenderHits {
  const project = projectOf(event)
  project.hits ??= hitsOfFunctions(project, event.language)
  const found = project.hits.get(event.path) ?? { unsigned: [], optional: [] }
  const script = event.language === 'php' ? hitsOfScript(project, event) : null
  return script
    ? { unsigned: [...found.unsigned, ...script.unsigned], optional: [...found.optional, ...script.optional] }
    : found
}

function hitsOfFunctions(project: Project, language: Language): Map<string, SenderHits> {
  const mountPaths = mountPathsOf(project)
  const entries = [...project.functions.values()]
    .filter((entry) => isProviderEntry(entry, mountPaths.get(entry.definition)) && !isOfApp(language, entry))
    .slice(0, ENTRIES_MAX)
  const walks = entries.map((entry) => ({ entry, walk: walkEntry(project, language, entry) }))
  const inner = new Set(
    walks.flatMap(({ entry, walk }) => [...walk.entered].filter((each) => each !== entry.definition)),
  )
  const hits = new Map<string, SenderHits>()
  for (const { entry, walk } of walks) {
    const { definition, path } = entry
    // Another handler calls it, and was checked with it.
    if (inner.has(definition) && entry.route === null) continue
    const found = hits.get(path) ?? { unsigned: [], optional: [] }
    hits.set(path, found)
    if (walk.write && !isGuarded(project, language, entry))
      found.unsigned.push({ at: { ...definition.at, endLine: definition.at.line } })
    else found.optional.push(...walk.optionalChecks.map(firstLine))
  }
  return hits
}

/** The paths of handlers that are declared apart from their route: `http.HandleFunc("/webhooks/paystack", receive)`. */
function mountPathsOf(project: Project): Map<FunctionDefinition, string> {
  const paths = namedPaths(project)
  for (const { method, mountPath, definitions } of project.registrations.values())
    if (mountPath !== null && !SHARED.test(method))
      for (const definition of definitions) paths.set(definition, mountPath)
  return paths
}

/** Calls that register middleware and routers, which serve many routes. */
const SHARED = /^(?:get|use|group|middleware|register|on)$/i

/** Views and listeners of an Android app receive no webhooks. Server code names the request or the route. */
const isOfApp = (language: Language, { route, definition }: ProjectFunction): boolean =>
  language === 'kotlin' &&
  route === null &&
  !definition.parameters.some(
    ({ type, annotations }) =>
      annotations.length > 0 ||
      /(?:Call|HttpServletRequest|ServerRequest|ProxyRequestEvent)$/.test(type ?? ''),
  )

const firstLine = (at: SourceRange): Hit => ({ at: { ...at, endLine: at.line } })

function walkEntry(
  project: Project,
  language: Language,
  { definition, path, classes }: ProjectFunction,
): Walk {
  const walk = newWalk(project, language, path)
  walk.classDefinition = classes[0]
  walk.stack.push(definition)
  for (const parameter of definition.parameters) bind(walk, parameter.target, parameterFact(parameter), true)
  execute(walk, definition.body)
  return walk
}

function newWalk(project: Project, language: Language, path: string): Walk {
  return {
    language,
    resolve: resolver(project),
    classOf: (definition) => project.functions.get(definition)?.classes[0],
    pathOf: (definition) => project.functions.get(definition)?.path,
    execute,
    evaluate,
    environment: { parent: null, facts: new Map() },
    isProven: false,
    exits: [],
    path,
    classDefinition: undefined,
    stack: [],
    entered: new Set(),
    stepsLeft: STEPS_MAX,
    write: null,
    optionalChecks: [],
    absentSecret: null,
    lastError: UNKNOWN,
    nextNames: new Set(),
    isNextUnproven: false,
    isNextCalled: false,
    endsWithResponse: false,
  }
}

function hitsOfScript(project: Project, event: ProjectEvent): SenderHits | null {
  const { program, path, language } = event
  if (!isProviderScript(path, program.body)) return null
  const walk = newWalk(project, language, path)
  execute(walk, program.body)
  return walk.write
    ? { unsigned: [firstLine(walk.write)], optional: [] }
    : { unsigned: [], optional: walk.optionalChecks.map(firstLine) }
}

/** Whether middleware, decorators or dependencies authenticate the sender before the handler runs. */
function isGuarded(project: Project, language: Language, entry: ProjectFunction): boolean {
  const guards = [
    ...guardsOfDefinition(entry),
    ...guardsOfRegistrations(project, entry),
    ...(language === 'ruby' ? filtersOf(project, entry) : []),
  ]
  return guards.some((guard) =>
    typeof guard === 'string'
      ? isGuardName(project, language, guard)
      : isGuardFunction(project, language, guard),
  )
}

type Guard = string | FunctionDefinition

/** Decorators, annotations, `Depends(check)`, `permission_classes`, and middleware of the constructor. */
function guardsOfDefinition({ definition, classes }: ProjectFunction): Guard[] {
  const [home] = classes
  const annotations = [...definition.annotations, ...(home?.annotations ?? [])].filter(
    (annotation) => !isRailsFilter(annotation),
  )
  const fields =
    home?.fields.filter(({ name }) =>
      /^(?:permission|authentication|throttle)_classes$|^middleware$|^decorators$/.test(name),
    ) ?? []
  const exprs = [
    ...annotations.flatMap(({ args }) => args.map(({ value }) => value)),
    ...definition.parameters.flatMap((parameter) => parameter.default ?? []),
    ...fields.flatMap(({ value }) => value ?? []),
  ]
  const names = annotations.map(({ name }) => name.slice(name.lastIndexOf('.') + 1))
  const routes =
    /^(?:route|get|post|put|api_view|RequestMapping|PostMapping|GetMapping|PutMapping|Post|Put|Get|Controller|All|RestController|Path|csrf_exempt|ApiController|HttpGet|HttpPost|HttpPut|Route|AllowAnonymous|Consumes|IgnoreAntiforgeryToken)$/
  const own = annotations.filter(({ name }) => !routes.test(name.slice(name.lastIndexOf('.') + 1)))
  return [
    ...names.filter((name) => !routes.test(name)),
    ...own.flatMap(({ args }) => args.flatMap(({ value }) => flat(referencesIn(value)))),
    ...exprs.filter((expr) => expr.kind !== 'literal').flatMap((expr) => flat(referencesIn(expr))),
  ]
}

const flat = ({ names, definitions }: ReturnType<typeof referencesIn>): Guard[] => [...names, ...definitions]

function guardsOfRegistrations({ registrations }: Project, entry: ProjectFunction): Guard[] {
  return [...registrations.values()].flatMap((registration) => {
    if (!concerns(registration, entry)) return []
    return registration.handlers
      .flatMap((expr, index): Guard[] => {
        const known = registration.known.get(expr)
        if (known && expr.kind !== 'call') return [known]
        const isPath = index === 0 && expr.kind === 'literal' && registration.method !== 'middleware'
        return isPath ? [] : [...(known ? [known] : []), ...flat(referencesIn(expr))]
      })
      .filter((guard) => guard !== entry.definition && guard !== entry.definition.name)
  })
}

function concerns(registration: Registration, entry: ProjectFunction): boolean {
  const { definitions, method, path, mountPath, handlers } = registration
  const { definition } = entry
  if (definitions.includes(definition) || namesEntry(handlers, entry)) return true
  if (!/^(?:use|middleware|register|group)$/i.test(method)) return false
  if (method === 'group') return definitions.some(({ body }) => isRoutedIn(body, entry))
  if (path === entry.path) return true
  return method !== 'middleware' && mountPath !== null && /hook|callback|pay/i.test(mountPath)
}

/** Routes are registered inside the function: `Route::middleware('signed')->group(fn)`. */
function isRoutedIn(body: readonly Stmt[], { definition, classes }: ProjectFunction): boolean {
  const words = new Set(wordsIn(body).split(/[\s@]/))
  return words.has(definition.name) && words.has(classes[0]?.name ?? definition.name)
}

/** Whether the handlers include this function by its name, and by its class if the name is short. */
function namesEntry(handlers: readonly Expr[], { definition, classes }: ProjectFunction): boolean {
  const { name } = definition
  const all = handlers.flatMap((expr) => referencesIn(expr).names)
  if (name === '' || !all.some((each) => each === name || each.endsWith(`@${name}`))) return false
  const className = classes[0]?.name
  return className === undefined || name.length > LONG_NAME || all.some((each) => each.includes(className))
}

const LONG_NAME = 8

function isGuardName(project: Project, language: Language, written: string): boolean {
  const name = aliasesOf(project).get(written) ?? written
  const known = project.byName.get(name.slice(name.lastIndexOf('.') + 1)) ?? []
  if (known.length > 0) return known.some((definition) => isGuardFunction(project, language, definition))
  const methods = [...project.functions.values()].filter(
    ({ classes, definition }) =>
      classes[0]?.name === name &&
      /^(?:canActivate|has_permission|handle|authenticate|use|__call__|dispatch)$/.test(definition.name),
  )
  if (methods.length > 0)
    return methods.some(({ definition }) => isGuardFunction(project, language, definition))
  return isNamedCheck(name) || GUARD_NAME.test(name)
}

const GUARD_NAME =
  /signature|hmac|(?:webhook|paystack|flutterwave|monnify|stripe|mpesa|payfast)[._-]?(?:auth|guard|verif\w*|secur\w*|middleware|ip\w*|permission)|(?:^|[._-])(?:signed|ip[._-]?(?:allow|white|restrict)\w*)|whitelist|allow_?list|IsAuthenticated|^auth(?::|$)|requireAuth|isAuthenticated|protect$|ensureAuth|jwt_required|login_required/i

/** Middleware that calls the next handler only if the sender is authenticated, or a predicate that is true only then. */
function isGuardFunction(
  project: Project,
  language: Language,
  definition: FunctionDefinition,
  depth = 0,
): boolean {
  const known = project.functions.get(definition)
  const walk = newWalk(project, language, known?.path ?? '')
  walk.classDefinition = known?.classes[0]
  walk.endsWithResponse = language === 'ruby'
  walk.stack.push(definition)
  const names = definition.parameters.flatMap(({ target }) => (target.kind === 'name' ? [target.name] : []))
  walk.nextNames = new Set([
    ...names.filter((name) => /next|handler|func|fn|view|^f$|^h$|done/i.test(name)),
    'next',
    'c.Next',
    'handler',
    'func',
    'view_func',
    'f',
    'fn',
    'chain',
    'h',
  ])
  for (const parameter of definition.parameters) bind(walk, parameter.target, parameterFact(parameter), true)
  const isAlive = execute(walk, definition.body)
  if (walk.isNextCalled) return !walk.isNextUnproven
  const exits = isAlive ? [...walk.exits, { isProven: walk.isProven, fact: null }] : walk.exits
  const truthy = exits.filter(({ fact }) => fact !== null && !fact.isFalsy)
  if (depth < 2 && returnsFunction(definition))
    return innerFunctions(definition).some((each) => isGuardFunction(project, language, each, depth + 1))
  return (
    (exits.length > 0 && exits.every(({ isProven }) => isProven)) ||
    (truthy.length > 0 && truthy.every(({ isProven, fact }) => isProven || fact?.whenTrue === true))
  )
}

const innerFunctions = ({ body }: FunctionDefinition): FunctionDefinition[] =>
  body.flatMap((stmt) => {
    if (stmt.kind === 'function') return [stmt.definition]
    const value =
      stmt.kind === 'return' || stmt.kind === 'declare' || stmt.kind === 'expression' ? stmt.value : null
    return value ? referencesIn(value).definitions : []
  })

const returnsFunction = (definition: FunctionDefinition): boolean => innerFunctions(definition).length > 0
