import { expect, test } from 'vitest'
import type { AbstractValue } from '../abstract-value.ts'
import type { AssignEvent, CallEvent, Rule, Visitor } from '../rule.ts'
import { createDispatch, dispatch } from './rule-dispatch.ts'

const HIT = { at: { start: 0, end: 1, line: 1, endLine: 1 } }
const VALUE: AbstractValue = { taints: [] }

const ruleOn = (on: Visitor): Rule => ({
  id: 'X-1',
  title: 'x',
  cwe: 1,
  severity: 'warn',
  confidence: 'low',
  languages: ['javascript'],
  message: 'x',
  fix: 'x',
  on,
})

const callOf = (name: string, receiver: AbstractValue | null, args = 0): CallEvent =>
  ({
    language: 'javascript',
    name,
    method: name.slice(name.lastIndexOf('.') + 1),
    receiver,
    isNew: false,
    args: Array.from({ length: args }, () => ({ value: VALUE })),
    imports: () => args > 1,
  }) as unknown as CallEvent

const CALLS = ['exec', 'a.exec', 'b.exec', 'a.run', 'b.run', 'exec'].flatMap((name) =>
  [null, VALUE, { ...VALUE, type: 'Shell' }].flatMap((receiver) =>
    [0, 1, 2].map((args) => callOf(name, receiver, args)),
  ),
)

const PREDICATES: readonly ((event: CallEvent) => boolean)[] = [
  ({ method }) => method === 'exec',
  ({ name }) => name === 'b.run',
  ({ receiver }) => receiver === null,
  ({ method, receiver }) => method === 'run' && receiver?.type === 'Shell',
  ({ method, args }) => method === 'exec' && args.length > 1,
  ({ name, imports }) => name === 'a.run' && imports('x'),
  ({ args: [first] }) => first === undefined,
  () => false,
]

test('a dispatch finds what calling every rule finds, in any order of events', () => {
  for (const events of [CALLS, CALLS.toReversed(), CALLS.filter((_, index) => index % 2 === 0)]) {
    for (const holds of PREDICATES) {
      const rule = ruleOn({ call: (event) => (holds(event) ? HIT : undefined) })
      const handle = rule.on.call
      if (!handle) continue
      const known = createDispatch('call', [{ rule, handle }])
      const found: CallEvent[] = []
      for (const event of events)
        dispatch(known, event, (handler, seen) => {
          if (handler.handle(seen)) found.push(seen)
        })
      expect(found, String(holds)).toEqual(events.filter(holds))
    }
  }
})

test('a rule that ignored a method is not called for it again', () => {
  let calls = 0
  const on = {
    call: ({ method }: CallEvent) => {
      calls += 1
      return method === 'exec' ? HIT : undefined
    },
  }
  const known = createDispatch('call', [{ rule: ruleOn(on), handle: on.call }])
  for (let round = 0; round < 50; round++) dispatch(known, callOf(`a${round}.run`, null), () => undefined)
  expect(calls).toBe(1)
})

test('a rule that decides by whether there is an object receives both kinds', () => {
  const on = { assign: ({ object }: AssignEvent) => (object ? undefined : HIT) }
  const known = createDispatch('assign', [{ rule: ruleOn(on), handle: on.assign }])
  const assign = (object: AbstractValue | null) => ({ name: 'x', object }) as unknown as AssignEvent
  const found: AssignEvent[] = []
  for (const event of [assign(VALUE), assign(null)])
    dispatch(known, event, (handler, seen) => {
      if (handler.handle(seen)) found.push(seen)
    })
  expect(found).toHaveLength(1)
})
