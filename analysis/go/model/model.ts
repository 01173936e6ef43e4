// The language model of Go.
import type { LanguageModel } from '../../language-model.ts'
import { lower } from '../lowering/lower.ts'
import { guards } from './guards.ts'
import { pathCalls } from './paths.ts'
import { requestCalls, requestParameter } from './requests.ts'
import { stringCalls } from './strings.ts'
import { templateCalls } from './types.ts'

export const model: LanguageModel = {
  language: 'go',
  lower,
  sources: [],
  calls: [...requestCalls, ...pathCalls, ...templateCalls, ...stringCalls],
  guards,
  parameter: requestParameter,
  globals: new Set([
    'len',
    'cap',
    'append',
    'copy',
    'delete',
    'panic',
    'print',
    'println',
    'recover',
    'close',
    'nil',
    'iota',
    'min',
    'max',
  ]),
}
