// Parameters that no scanned code passes. Annotations of Spring and JAX-RS are read as in Java.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { parameter as ofJava } from '../../java/model/parameters.ts'
import type { LanguageModel } from '../../language-model.ts'
import { withBodyFields } from '../../rule-helpers/body-fields.ts'

export const parameter: LanguageModel['parameter'] = (given, index, definition, where, registered) => {
  const { type, target } = given
  const name = target.kind === 'name' ? target.name : ''
  // The lambda of a route has the call as its receiver.
  if (type === null) return UNTAINTED
  if (definition.name === 'main' || name === 'this') return typed(type)
  const value = ofJava(given, index, definition, where, registered)
  const isBody = value?.others !== undefined && value.taints.length > 0
  return isBody ? withBodyFields(value, where.lookUp(type)?.classDefinition) : value
}

const typed = (type: string): AbstractValue => ({ taints: [], type })
