// Abstract values shared by the Go models.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { sanitize, tainted } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'

/** A result together with an error or boolean. */
export const resultWithError = (value: AbstractValue): AbstractValue => ({
  taints: [],
  fields: new Map([
    ['0', value],
    ['1', UNTAINTED],
    ['2', UNTAINTED],
  ]),
})

/** The same, for the result of a call model. */
export const withError =
  (returns: CallModel['returns']): CallModel['returns'] =>
  (event) => {
    const value = returns(event)
    return value && resultWithError(value)
  }

/** The first of several results, or the value itself. */
export const firstOf = (value: AbstractValue): AbstractValue => value.fields?.get('0') ?? value

export const withType = (type: string, value: AbstractValue = UNTAINTED): AbstractValue => ({
  ...value,
  type,
})

/** `*http.Request`, with the members that the client controls. */
export function requestValue(name: string, at: SourceRange, path: string): AbstractValue {
  const part = (label: string) => tainted('request', `${name}.${label}`, at, path)
  // A redirect to the URL of the request itself stays on the site.
  const url = sanitize(part('URL'), ['redirect'])
  return {
    taints: [],
    type: '*net/http.Request',
    fields: new Map<string, AbstractValue>([
      [
        'URL',
        {
          ...withType('*net/url.URL', url),
          fields: new Map([
            ['Scheme', UNTAINTED],
            ['Host', UNTAINTED],
          ]),
        },
      ],
      ['RequestURI', sanitize(part('RequestURI'), ['redirect'])],
      ['Form', withType('net/url.Values', part('Form'))],
      ['PostForm', withType('net/url.Values', part('PostForm'))],
      ['MultipartForm', part('MultipartForm')],
      ['Header', withType('net/http.Header', part('Header'))],
      ['Body', withType('io.ReadCloser', part('Body'))],
    ]),
  }
}

/** A taint source labelled with its source text. */
export const requestSource = (event: CallEvent): AbstractValue =>
  tainted('request', event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60), event.expr.at, event.path)
