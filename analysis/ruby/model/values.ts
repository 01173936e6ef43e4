// Abstract values and name lists shared by the Ruby models and rules.

import type { AbstractValue } from '../../abstract-value.ts'
import { tainted } from '../../engine/values/values.ts'
import type { CallEvent, EventContext } from '../../rule.ts'

/** A taint source labelled with its source text. */
export const requestSource = (event: CallEvent): AbstractValue => ({
  ...tainted(
    'request',
    event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60),
    event.expr.at,
    event.path,
  ),
})

export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

export const onAny = (methods: string): string[] => words(methods).map((method) => `*.${method}`)

const WEB_PATH =
  /(?:^|\/)app\/(?:controllers|helpers|views|api|channels|components|graphql)\/|\.(?:erb|rhtml)$/i
const WEB_BASE =
  /Controller$|(?:^|\.)(?:Sinatra\.(?:Base|Application)|Grape\.API|Roda|Hanami\.Action|Cuba|Padrino\.Application)$/
const WEB_CLASS = /(?:Controller|Helper)$/
const WEB_LIBRARY = /^(?:sinatra|grape|roda|hanami|cuba|padrino|rack)(?:\/|$)/

/** Whether `params` and `request` are those of a web framework. */
export const isWeb = ({ path, classes, imports }: EventContext): boolean =>
  WEB_PATH.test(path) ||
  classes.some(({ name, bases }) => WEB_CLASS.test(name) || bases.some((base) => WEB_BASE.test(base))) ||
  imports(WEB_LIBRARY)
