// Values read from the elements of a page. Text that is safe in an attribute can be markup elsewhere.

import { returnsSource } from '../../engine/model-helpers.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const textOfPage = returnsSource('stored')

export const pageCalls: readonly CallModel[] = [
  { name: ['*.getData'], returns: (event) => (isPasted(event) ? textOfPage(event) : undefined) },
  { name: ['*.getAttribute'], returns: (event) => (isMarkupFree(event) ? undefined : textOfPage(event)) },
  {
    name: ['*.attr', '*.data'],
    returns: (event) => (event.args.length === 1 && isQuery(event) ? textOfPage(event) : undefined),
  },
  {
    name: ['*.val', '*.text'],
    returns: (event) => (event.args.length === 0 && isQuery(event) ? textOfPage(event) : undefined),
  },
]

/** The clipboard or a dragged object. */
const isPasted = ({ expr: { callee }, source }: CallEvent): boolean =>
  callee.kind === 'member' && /(?:clipboard|dataTransfer)/i.test(source(callee.object.at))

/** Ids and classes are chosen by the page itself. */
const isMarkupFree = ({ arg }: CallEvent): boolean =>
  /^(?:id|class|type|role|lang|dir)$/.test(String(arg(0)?.value.known))

/** A jQuery object, by its origin or by the usual `$` of its name. */
export function isQuery({ name, expr: { callee }, source }: CallEvent): boolean {
  if (/^(?:\$|jQuery|jquery)\(\)(?:\.|$)|(?:^|\.)(?:select|selectAll)\(\)\.(?:attr|text|html)$/.test(name))
    return true
  return callee.kind === 'member' && /^(?:[\w$]+\.)*\$\w+$/.test(source(callee.object.at))
}
