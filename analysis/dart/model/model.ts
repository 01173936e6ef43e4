// The language model of Dart.

import type { LanguageModel } from '../../language-model.ts'
import { lower } from '../lowering/lower.ts'
import { guards } from './guards.ts'
import { parameter, requestCalls, sources } from './requests.ts'
import { stringCalls } from './strings.ts'

export const model: LanguageModel = {
  language: 'dart',
  lower,
  sources,
  calls: [...requestCalls, ...stringCalls],
  guards,
  parameter,
  globals: new Set(['window', 'document', 'stdin', 'stdout', 'Platform']),
}
