// Go, as the engine has to know it.
import type { LanguageModel } from '../language-model.ts'
import { lower } from './lower.ts'
import { guards } from './model-guards.ts'
import { pathCalls } from './model-paths.ts'
import { requestCalls, requestParameter } from './model-request.ts'
import { textCalls } from './model-texts.ts'
import { templateCalls } from './model-types.ts'

export const model: LanguageModel = {
  language: 'go',
  lower,
  sources: [],
  calls: [...requestCalls, ...pathCalls, ...templateCalls, ...textCalls],
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
