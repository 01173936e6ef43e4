// `io.StringIO`: what was written can be read again.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { concat } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const TYPE = 'io.StringIO'

export const bufferCalls: readonly CallModel[] = [
  {
    name: ['io.StringIO', 'io.BytesIO', 'StringIO.StringIO', 'cStringIO.StringIO'],
    returns: (event) => ({ ...(event.arg(0)?.value ?? { taints: [], pieces: [] }), type: TYPE }),
  },
  { name: `${TYPE}#write`, returns: () => UNTAINTED, receiver: written },
  { name: `${TYPE}#writelines`, returns: () => UNTAINTED, receiver: written },
  { name: [`${TYPE}#getvalue`, `${TYPE}#read`], returns: content },
]

function written({ receiver, args }: CallEvent): AbstractValue | undefined {
  if (!receiver) return undefined
  return { ...concat([content({ receiver }), args[0]?.value ?? UNTAINTED]), type: TYPE }
}

function content({ receiver }: Pick<CallEvent, 'receiver'>): AbstractValue {
  if (!receiver) return UNTAINTED
  const { taints, pieces, known } = receiver
  return { taints, ...(pieces && { pieces }), ...(known !== undefined && { known }) }
}
