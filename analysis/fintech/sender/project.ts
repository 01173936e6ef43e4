// The functions and route registrations of one scan, collected from the events of all files.

import type { ClassDefinition, Expr, FunctionDefinition } from '../../ir.ts'
import type { CallEvent, EventContext, FunctionEvent, Hit } from '../../rule.ts'
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
  lastEvent: FunctionEvent | null
}

export type SenderHits = { readonly unsigned: Hit[]; readonly optional: Hit[] }

/** Every scan has its own `lookUp`. */
const projects = new WeakMap<EventContext['lookUp'], Project>()

export function projectOf({ lookUp }: Pick<EventContext, 'lookUp'>): Project {
  const known = projects.get(lookUp)
  if (known) return known
  const created: Project = {
    functions: new Map(),
    byName: new Map(),
    registrations: new Map(),
    callees: new Map(),
    hits: null,
    lastEvent: null,
  }
  projects.set(lookUp, created)
  return created
}

export function addFunction(event: FunctionEvent): void {
  const project = projectOf(event)
  const { definition, path, text, route, classes, functions } = event
  if (project.lastEvent === event) return
  project.lastEvent = event
  const known = project.functions.get(definition)
  if (known) known.route ??= route
  else {
    const outer = functions.filter((each) => each !== definition)
    project.functions.set(definition, { definition, path, text, classes, outer, route })
    if (definition.name !== '') {
      const all = project.byName.get(definition.name)
      if (all) all.push(definition)
      else project.byName.set(definition.name, [definition])
    }
  }
  addCallees(project, event.calls)
}

export function addCallees({ callees }: Project, calls: readonly CallEvent[]): void {
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
  /^(?:get|post|put|patch|all|any|use|route|match|handle|handleFunc|add_url_rule|path|re_path|url|register|Use|Group|method|on|middleware|serve)$/i

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
  const isRoute = typeof args[0]?.value.known === 'string' || definitions.length > 0
  if (!isRoute) return
  const mountPath = args[0]?.value.known
  projectOf(event).registrations.set(expr, {
    path,
    method,
    mountPath: typeof mountPath === 'string' ? mountPath : null,
    handlers: [...args.map((arg) => arg.expr), ...chainArguments(expr)],
    definitions,
    known: new Map(
      args.flatMap(({ value, expr: each }) => (value.callable ? [[each, value.callable.definition]] : [])),
    ),
  })
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
