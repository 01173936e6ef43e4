// The language model of C#.
import type { LanguageModel } from '../../language-model.ts'
import { lower } from '../lowering/lower.ts'
import { fileCalls, fileSources } from './files.ts'
import { guards } from './guards.ts'
import { parameter } from './parameters.ts'
import { requestCalls, sources } from './requests.ts'
import { stringCalls } from './strings.ts'

export const model: LanguageModel = {
  language: 'csharp',
  lower,
  sources: [...sources, ...fileSources],
  calls: [...requestCalls, ...fileCalls, ...stringCalls],
  guards,
  parameter,
  globals: new Set(['System', 'Microsoft']),
}
