// `new Promise((resolve) => resolve(value))` has the value that its executor resolves.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { join } from '../../engine/values/values.ts'
import type { FunctionDefinition } from '../../ir.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** The first parameter of an executor. */
export const RESOLVER = 'Promise.resolver'
export const isExecutor = (registeredBy: string | undefined): boolean => registeredBy === 'Promise'

/** The value that an executor under analysis has resolved so far. */
const resolved = new WeakMap<FunctionDefinition, AbstractValue>()

export const promiseCalls: readonly CallModel[] = [
  {
    name: [RESOLVER],
    returns: (event) => {
      const executor = executorOf(event)
      const value = event.arg(0)?.value ?? UNTAINTED
      const before = executor && resolved.get(executor)
      if (executor) resolved.set(executor, before ? join(before, value) : value)
      return UNTAINTED
    },
  },
  {
    name: ['Promise'],
    returns: ({ isNew, arg }) => {
      const executor = arg(0)?.value.callable?.definition
      const value = isNew && executor ? resolved.get(executor) : undefined
      if (executor) resolved.delete(executor)
      return value
    },
  },
]

/** The innermost enclosing function whose first parameter has the name of the resolver. */
function executorOf({ functions, expr: { callee } }: CallEvent): FunctionDefinition | undefined {
  if (callee.kind !== 'name') return undefined
  return functions.find(({ parameters: [first] }) =>
    first?.target.kind === 'name' ? first.target.name === callee.name : false,
  )
}
