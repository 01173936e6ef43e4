// Request sources of Ktor and Android. Those of Spring and servlets are in the model of Java.

import type { AbstractValue } from '../../abstract-value.ts'
import { propagates, returnsRequest } from '../../engine/model-helpers.ts'
import type { CallModel, SourceModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { withBodyFields } from '../../rule-helpers/body-fields.ts'

const CALL_MEMBERS = ['request', 'parameters', 'pathParameters', 'queryParameters']
const request = (name: string): SourceModel => ({ name, origin: 'request' })

export const sources: readonly SourceModel[] = [
  ...CALL_MEMBERS.flatMap((member) => [
    request(`call.${member}`),
    request(`ApplicationCall#${member}`),
    request(`RoutingCall#${member}`),
  ]),
  request('intent.data'),
  request('intent.extras'),
  request('intent.dataString'),
  request('android.content.Intent#data'),
  request('android.content.Intent#extras'),
  request('android.content.Intent#dataString'),
]

export const requestCalls: readonly CallModel[] = [
  { name: ['*.receive', '*.receiveNullable'], returns: body },
  {
    name: ['receiveText', 'receiveParameters', 'receiveMultipart', 'receiveStream', 'receiveChannel'].map(
      (name) => `*.${name}`,
    ),
    returns: returnsRequest(),
  },
  {
    name: ['getStringExtra', 'getCharSequenceExtra', 'getStringArrayListExtra'].map((name) => `*.${name}`),
    returns: returnsRequest(),
  },
  {
    name: [
      'get',
      'getAll',
      'getOrFail',
      'getOrDefault',
      'getValue',
      'getString',
      'getQueryParameter',
      'orEmpty',
      'first',
    ].map((name) => `*.${name}`),
    returns: part,
  },
]

/** `call.receive<Transfer>()`. */
function body(event: CallEvent): AbstractValue | undefined {
  const [, type] = /\breceive(?:Nullable)?\s*<\s*([\w.]+)/.exec(event.source(event.expr.at)) ?? []
  const value = returnsRequest()(event)
  if (!value || type === undefined) return value
  return withBodyFields(value, event.lookUp(type)?.classDefinition)
}

/** A value of a request, read by name. */
function part(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  const isPart =
    receiver &&
    !receiver.fields &&
    !receiver.classDefinition &&
    receiver.taints.some(({ origin }) => origin === 'request')
  return isPart ? propagates('receiver')(event) : undefined
}
