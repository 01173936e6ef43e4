// The filters of a Rails controller, from its class, the classes it extends and the modules it includes.
import type { Annotation, ClassDefinition, Expr, FunctionDefinition } from '../../ir.ts'
import { referencesIn } from './handlers.ts'
import type { Project, ProjectFunction } from './project.ts'

const FILTER = /^(?:prepend_)?before_action$/
const DEPTH_MAX = 5

export const isRailsFilter = ({ name }: Annotation): boolean => /_(?:action|filter)$/.test(name)

/** The names and blocks that run before an action, unless it skips them. */
export function filtersOf(
  project: Project,
  { definition, classes }: ProjectFunction,
): (string | FunctionDefinition)[] {
  const known = new Map(
    [...project.functions.values()].flatMap(({ classes: [home] }) =>
      home ? [[home.name, home] as const] : [],
    ),
  )
  const line = ancestorsOf(classes[0], known)
  const skipped = new Set(line.flatMap((each) => skippedBy(each, definition.name)))
  return line
    .flatMap(({ annotations }) => annotations)
    .filter(({ name, args }) => FILTER.test(name) && concernsAction(args, definition.name))
    .flatMap(({ args }) => args.filter(({ name }) => name === null || name === '&block'))
    .flatMap(({ value }) => {
      const { names, definitions } = referencesIn(value)
      return [...names, ...definitions]
    })
    .filter((each) => typeof each !== 'string' || !skipped.has(each))
}

function ancestorsOf(
  home: ClassDefinition | undefined,
  known: ReadonlyMap<string, ClassDefinition>,
  depth = 0,
): ClassDefinition[] {
  if (!home || depth > DEPTH_MAX) return []
  const bases = home.bases.flatMap((name) => known.get(name.slice(name.lastIndexOf('.') + 1)) ?? [])
  return [home, ...bases.flatMap((base) => (base === home ? [] : ancestorsOf(base, known, depth + 1)))]
}

type Arguments = Annotation['args']

function concernsAction(args: Arguments, action: string): boolean {
  const only = textsIn(args, 'only')
  return (only.length === 0 || only.includes(action)) && !textsIn(args, 'except').includes(action)
}

const textsIn = (args: Arguments, option: string): string[] =>
  args.filter(({ name }) => name === option).flatMap(({ value }) => textsOf(value))

const textsOf = (value: Expr): string[] => {
  if (value.kind === 'literal') return [String(value.value)]
  return value.kind === 'list' ? value.items.flatMap((item) => textsOf(item.value)) : []
}

/** `skip_before_action :check` stands in the body of the class. */
function skippedBy({ methods }: ClassDefinition, action: string): string[] {
  const body = methods.find(({ name }) => name === '<class>')?.body ?? []
  return body.flatMap((stmt) => {
    const call = stmt.kind === 'expression' || stmt.kind === 'return' ? stmt.value : null
    if (call?.kind !== 'call' || call.callee.kind !== 'name' || call.callee.name !== 'skip_before_action')
      return []
    return concernsAction(call.args, action)
      ? call.args.filter(({ name }) => name === null).flatMap(({ value }) => textsOf(value))
      : []
  })
}
