// Handlers that a route names: `[EventController::class, 'store']`, `'EventController@store'`, `to: 'events#create'`.
import type { Argument, Expr } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'

/** `EventController@store`: the class without its namespace, and the method. */
export function namedHandlers({ args, expr }: Pick<CallEvent, 'args' | 'expr'>): string[] {
  return [...args.map((arg) => arg.expr), ...expr.args.map(({ value }) => value)].flatMap((value) => {
    const handler = handlerOf(value)
    return handler === null ? [] : [handler]
  })
}

function handlerOf(value: Expr): string | null {
  if (value.kind === 'same') return handlerOf(value.value)
  if (value.kind === 'literal') {
    const [, place, mark, method] = /^([\w\\/:]+)([@#])(\w+)$/.exec(String(value.value)) ?? []
    if (place === undefined) return null
    return mark === '@' ? `${lastPart(place)}@${method}` : `${controllerOf(place)}@${method}`
  }
  if (value.kind === 'member' && value.property === 'class') return `${classNameOf(value)}@__invoke`
  if (value.kind !== 'list' || value.items.length !== 2) return null
  const [home, method] = value.items.map((item) => item.value)
  if (home?.kind !== 'member' || home.property !== 'class' || method?.kind !== 'literal') return null
  return `${classNameOf(home)}@${String(method.value)}`
}

/** Without the namespace. */
export const lastPart = (name: string): string =>
  name.slice(Math.max(...['\\', '/', ':', '.'].map((sign) => name.lastIndexOf(sign))) + 1)

const classNameOf = (value: Expr): string =>
  value.kind === 'member' && value.object.kind === 'name' ? lastPart(value.object.name) : ''

/** `payments/inbound_events` is `InboundEventsController`. */
const controllerOf = (place: string): string =>
  `${lastPart(place).replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Controller`

/** The path of a route; in Ruby also the name of an argument: `post '/hook' => 'events#create'`. */
export function routePath(args: readonly Argument[]): string | null {
  const [first] = args
  if (first?.name?.startsWith('/') || (first?.name && handlerOf(first.value) !== null)) return first.name
  return first?.value.kind === 'literal' && typeof first.value.value === 'string' ? first.value.value : null
}
