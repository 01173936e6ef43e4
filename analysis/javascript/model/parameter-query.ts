// The question to the model of a parameter: the parameter, its function and how the function was registered.

import type { FunctionDefinition, Parameter } from '../../ir.ts'
import type { LanguageModel } from '../../language-model.ts'
import type { EventContext } from '../../rule.ts'
import type { SourcePosition } from './requests.ts'

type Registration = Parameters<LanguageModel['parameter']>[4]

export type ParameterQuery = {
  readonly parameter: Parameter
  readonly index: number
  readonly definition: FunctionDefinition
  readonly where: EventContext
  readonly registered: Registration
  readonly name: string
  readonly source: SourcePosition
}

export const nameOf = ({ target }: Parameter): string => (target.kind === 'name' ? target.name : '')
