// The functions and route registrations of one scan, collected from the events of all files.

import type { ClassDefinition, Expr, FunctionDefinition } from '../../ir.ts'
import type { CallEvent, ClassEvent, EventContext, FunctionEvent, Hit, ProjectEvent } from '../../rule.ts'
import { namedHandlers, routePath } from './named-handlers.ts'
import type { Walk } from './walk.ts'

export type ProjectFunction = {
  readonly definition: FunctionDefinition
  readonly path: string
  readonly text: string
  readonly classes: readonly ClassDefinition[]
  /** Functions around it, innermost first. */
  readonly outer: readonly FunctionDefinition[]
  route: string | null
}

/** A call that connects a route with its handlers: `router.post('/x', check, handle)`. */
export type Registration = {
  readonly path: string
  readonly method: string
  readonly mountPath: string | null
  /** The handlers and middleware, also those of the calls before it in a chain. */
  readonly handlers: readonly Expr[]
  /** The functions among them that are known. */
  readonly definitions: readonly FunctionDefinition[]
  readonly known: ReadonlyMap<Expr, FunctionDefinition>
  /** Handlers in other files: `EventController@store`. */
  readonly targets: readonly string[]
  /** The function around it, such as that of a group of routes. */
  readonly inside: FunctionDefinition | null
}

export type Project = {
  readonly functions: Map<FunctionDefinition, ProjectFunction>
  readonly byName: Map<string, FunctionDefinition[]>
  readonly registrations: Map<Expr, Registration>
  /** The functions that calls refer to. */
  readonly callees: Map<Expr, FunctionDefinition>
  /** The results for each file, once they are computed. */
  hits: Map<string, SenderHits> | null
  /** Several rules receive the same event. */
  lastEvent: WeakRef<FunctionEvent> | null
}

export type SenderHits = { readonly unsigned: Hit[]; readonly optional: Hit[] }

const newProject = (): Project => ({
  functions: new Map(),
  byName: new Map(),
  registrations: new Map(),
  callees: new Map(),
  hits: null,
  lastEvent: null,
})

const projectsOfParts = new WeakMap<object, Project>()

/** The facts of one part of a scan. */
function partOf({ part }: Pick<EventContext, 'part'>): Project {
  const known = projectsOfParts.get(part)
  if (known) return known
  const created = newProject()
  projectsOfParts.set(part, created)
  return created
}

const projects = new WeakMap<ProjectEvent['parts'], Project>()

/** The facts of all parts of a scan. */
export function projectOf({ parts }: Pick<ProjectEvent, 'parts'>): Project {
  const known = projects.get(parts)
  if (known) return known
  const whole = newProject()
  for (const part of parts) {
    const own = projectsOfParts.get(part)
    if (own) addPart(whole, own)
  }
  projects.set(parts, whole)
  return whole
}

function addPart(whole: Project, { functions, registrations, callees }: Project): void {
  for (const each of functions.values()) rememberFunction(whole, each)
  for (const [expr, registration] of registrations) whole.registrations.set(expr, registration)
  for (const [expr, definition] of callees) whole.callees.set(expr, definition)
}

/** Copies the function, because an unchanged part also belongs to later scans. */
function rememberFunction({ functions, byName }: Project, added: ProjectFunction): void {
  const { definition, route } = added
  const known = functions.get(definition)
  if (known) {
    known.route ??= route
    return
  }
  functions.set(definition, { ...added })
  if (definition.name === '') return
  const all = byName.get(definition.name)
  if (all) all.push(definition)
  else byName.set(definition.name, [definition])
}

export function addFunction(event: FunctionEvent): void {
  const project = partOf(event)
  const { definition, path, text, route, classes, functions } = event
  if (project.lastEvent?.deref() === event) return
  project.lastEvent = new WeakRef(event)
  const outer = functions.filter((each) => each !== definition)
  rememberFunction(project, { definition, path, text, classes, outer, route })
  addCallees(project, event.calls)
}

/** Remembers the functions that calls outside of functions refer to. */
export const addCallee = (event: CallEvent): void => {
  if (event.functions.length === 0) addCallees(partOf(event), [event])
}

function addCallees({ callees }: Project, calls: readonly CallEvent[]): void {
  for (const { expr, method, receiver, lookUp } of calls) {
    const { callee } = expr
    const definition =
      callee.kind === 'name'
        ? lookUp(callee.name)?.callable?.definition
        : (receiver?.classDefinition?.methods.find(({ name }) => name === method) ??
          receiver?.fields?.get(method)?.callable?.definition)
    if (definition) callees.set(expr, definition)
  }
}

const ROUTES =
  /^(?:get|post|put|patch|all|any|use|route|match|namespace|scope|alias|aliasMiddleware|handle|handleFunc|add_url_rule|path|re_path|url|register|Use|Group|method|on|middleware|serve)$/i

/** Remembers calls that register handlers. */
export function addRegistration(event: CallEvent): void {
  const { method, args, expr, path } = event
  if (args.length === 0 || !ROUTES.test(method)) return
  const definitions = args.flatMap(({ value }) => [
    ...(value.callable ? [value.callable.definition] : []),
    ...[...(value.fields?.values() ?? [])].flatMap((each) =>
      each.callable ? [each.callable.definition] : [],
    ),
  ])
  const targets = namedHandlers(event)
  const isRoute =
    typeof args[0]?.value.known === 'string' ||
    definitions.length > 0 ||
    targets.length > 0 ||
    /^alias/.test(method)
  if (!isRoute) return
  const mountPath = args[0]?.value.known ?? null
  partOf(event).registrations.set(expr, {
    path,
    method,
    mountPath: targets.length > 0 ? routePath(expr.args) : typeof mountPath === 'string' ? mountPath : null,
    targets,
    inside: event.functions[0] ?? null,
    handlers: [...args.map((arg) => arg.expr), ...chainArguments(expr)],
    definitions,
    known: new Map(
      args.flatMap(({ value, expr: each }) => (value.callable ? [[each, value.callable.definition]] : [])),
    ),
  })
}

/** The short names of middleware in a class of Laravel: `$middlewareAliases = ['gate' => Gate::class]`. */
export function addAliases({ definition, path, part }: ClassEvent): void {
  for (const { name, value } of definition.fields) {
    if (value === null || !/^\$?(?:middlewareAliases|routeMiddleware)$/.test(name)) continue
    partOf({ part }).registrations.set(value, {
      ...{ path, method: 'alias', mountPath: null, handlers: [value] },
      ...{ definitions: [], known: new Map(), targets: [], inside: null },
    })
  }
}

/** The arguments of earlier calls in a chain: `r.With(check).Post(…)`, `Route::post(…)->middleware('check')`. */
function chainArguments(expr: Expr): Expr[] {
  if (expr.kind !== 'call' || expr.callee.kind !== 'member') return []
  const { object } = expr.callee
  return object.kind === 'call' ? [...object.args.map(({ value }) => value), ...chainArguments(object)] : []
}

/** Names that many unrelated functions have. */
const COMMON =
  /^(?:get|set|save|create|update|delete|find\w*|insert|add|remove|handle|run|execute|call|init|index|store|show|main|process|send|log|error|info|warn|json|status|query|post|put|patch|then|map|filter|forEach|push|parse|stringify|open|close|read|write|load|start|stop|next|test|check|encode|decode|format|from|of|on|emit|apply|bind|has|includes|keys|values|entries|equals|toString|build|make|render|first|all|where|count|commit|begin|Scan|Get|Set|New|Do|Post|Save|Create|Update|Exec|Query|Error|JSON|String|Close|Read|Write)$/
const CANDIDATES_MAX = 3

/** The function a call refers to: as resolved by the engine, else by a name that only few functions have. */
export function resolver({ callees, byName, functions }: Project): Walk['resolve'] {
  return (call, name, walk) => {
    const known = callees.get(call)
    if (known) return known
    const last = name.slice(name.lastIndexOf('.') + 1)
    const all = byName.get(last)
    if (!all) return undefined
    const isOwn = /^(?:this|self|static|parent)\.[^.]*$/.test(name)
    if (isOwn) {
      const own = walk.classDefinition?.methods.find((method) => method.name === last)
      if (own) return own
    }
    const type = receiverType(name, walk)
    const typed = type ? all.find((each) => functions.get(each)?.classes[0]?.name === type) : undefined
    if (typed) return typed
    const local = all.filter((each) => functions.get(each)?.path === walk.path)
    if (!name.includes('.') && local[0]) return local[0]
    if (COMMON.test(last) || all.length > CANDIDATES_MAX) return undefined
    return local[0] ?? all[0]
  }
}

/** The declared type of an injected field: `PaymentService` of `this.payments.settle`. */
function receiverType(name: string, { classDefinition }: Walk): string | undefined {
  const field = /^(?:this|self)\.([^.]+)\.[^.]*$/.exec(name)?.[1]
  if (!field || !classDefinition) return undefined
  const constructors = classDefinition.methods.filter(({ name: each }) =>
    /^(?:constructor|__construct|__init__)$/.test(each),
  )
  const parameters = constructors.flatMap(({ parameters: all }) => all)
  const type =
    classDefinition.fields.find(({ name: each }) => each === field)?.type ??
    parameters.find(({ target }) => target.kind === 'name' && target.name === field)?.type
  return type?.replace(/^.*[.\\]/, '').replace(/<.*$/, '')
}
