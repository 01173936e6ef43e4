// Handlers in other files: their paths, which routes name, and the short names of their middleware.
import type { Expr, FunctionDefinition } from '../../ir.ts'
import { referencesIn } from './handlers.ts'
import { lastPart } from './named-handlers.ts'
import type { Project, Registration } from './project.ts'

const DEPTH_MAX = 4

/** The texts of the groups around a registration: `Route::prefix('webhooks')`, `namespace :webhooks`. */
function prefixesOf(project: Project, { inside }: Registration, depth = 0): string[] {
  if (inside === null || depth > DEPTH_MAX) return []
  return [...project.registrations.values()]
    .filter(({ definitions, method }) => definitions.includes(inside) && GROUPS.test(method))
    .flatMap((group) => [
      ...prefixesOf(project, group, depth + 1),
      ...group.handlers.flatMap((value) => (value.kind === 'literal' ? [`/${String(value.value)}`] : [])),
    ])
}
const GROUPS = /^(?:group|namespace|scope|prefix)$/

/** The paths of the functions that routes name. */
export function namedPaths(project: Project): Map<FunctionDefinition, string> {
  const byHandler = new Map<string, FunctionDefinition>()
  for (const { definition, classes } of project.functions.values())
    if (classes[0]) byHandler.set(`${lastPart(classes[0].name)}@${definition.name}`, definition)
  const paths = new Map<FunctionDefinition, string>()
  for (const registration of project.registrations.values()) {
    const { method, mountPath, targets } = registration
    if (mountPath === null || /^(?:get|use|group|middleware|register|on)$/i.test(method)) continue
    for (const target of targets) {
      const definition = byHandler.get(target)
      if (definition) paths.set(definition, `${prefixesOf(project, registration).join('')}/${mountPath}`)
    }
  }
  return paths
}

const aliases = new WeakMap<Project, ReadonlyMap<string, string>>()

/** Laravel gives middleware short names: `alias(['gate' => Gate::class])`, `aliasMiddleware('gate', Gate::class)`. */
export function aliasesOf(project: Project): ReadonlyMap<string, string> {
  const known = aliases.get(project)
  if (known) return known
  const own = new Map<string, string>()
  const add = (alias: Expr | undefined, target: Expr | undefined) => {
    const name = target && referencesIn(target).names.findLast((each) => each !== 'class')
    if (alias?.kind === 'literal' && name) own.set(String(alias.value), name)
  }
  for (const { method, handlers } of project.registrations.values()) {
    if (!/^alias(?:Middleware)?$/.test(method)) continue
    const [first, second] = handlers
    if (first?.kind === 'map') for (const { key, value } of first.entries) add(key ?? undefined, value)
    else add(first, second)
  }
  aliases.set(project, own)
  return own
}
