// Values that the models of Go speak of.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { sanitize, tainted } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'

/** What a function gives back together with an error or an answer. */
export const pair = (value: AbstractValue): AbstractValue => ({
  taints: [],
  fields: new Map([
    ['0', value],
    ['1', UNTAINTED],
    ['2', UNTAINTED],
  ]),
})

/** The same, for what a call is worth. */
export const paired =
  (returns: CallModel['returns']): CallModel['returns'] =>
  (event) => {
    const value = returns(event)
    return value && pair(value)
  }

/** The first of several results; the value itself where it is the only one. */
export const firstOf = (value: AbstractValue): AbstractValue => value.fields?.get('0') ?? value

export const typedAs = (type: string, value: AbstractValue = UNTAINTED): AbstractValue => ({ ...value, type })

/** `*http.Request`, with the parts of it that the sender decides. */
export function requestValue(name: string, at: SourceRange, path: string): AbstractValue {
  const part = (label: string) => tainted('request', `${name}.${label}`, at, path)
  // Where a request was sent to is its own address: to send it back there leads nowhere else.
  const url = sanitize(part('URL'), ['redirect'])
  return {
    taints: [],
    type: '*net/http.Request',
    fields: new Map<string, AbstractValue>([
      [
        'URL',
        {
          ...typedAs('*net/url.URL', url),
          fields: new Map([
            ['Scheme', UNTAINTED],
            ['Host', UNTAINTED],
          ]),
        },
      ],
      ['RequestURI', sanitize(part('RequestURI'), ['redirect'])],
      ['Form', typedAs('net/url.Values', part('Form'))],
      ['PostForm', typedAs('net/url.Values', part('PostForm'))],
      ['MultipartForm', part('MultipartForm')],
      ['Header', typedAs('net/http.Header', part('Header'))],
      ['Body', typedAs('io.ReadCloser', part('Body'))],
    ]),
  }
}

/** What a call on a request brings, by how it is written. */
export const asked = (event: CallEvent): AbstractValue =>
  tainted('request', event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60), event.expr.at, event.path)
