// What the engine has to know about Java.
import type { LanguageModel } from '../language-model.ts'
import { builtins } from './library.ts'
import { lower } from './lower.ts'
import { cleaningCalls, guards } from './model-cleaning.ts'
import { collectionCalls } from './model-collections.ts'
import { objectCalls } from './model-objects.ts'
import { parameter } from './model-parameters.ts'
import { partCalls, requestCalls } from './model-requests.ts'
import { settingCalls } from './model-settings.ts'
import { streamCalls } from './model-streams.ts'
import { builderCalls, textCalls } from './model-texts.ts'
import { typeCalls } from './model-types.ts'

/** The first that knows a call has the word: what is told by its type stands before what is told by its name alone. */
const calls: LanguageModel['calls'] = [
  ...objectCalls,
  ...requestCalls,
  ...builderCalls,
  ...streamCalls,
  ...collectionCalls,
  ...typeCalls,
  ...cleaningCalls,
  ...textCalls,
  ...partCalls,
]

export const model: LanguageModel = {
  language: 'java',
  lower,
  sources: [],
  calls,
  guards,
  parameter,
  globals: new Set(['java', 'javax', 'org', 'com', 'net', 'io']),
  builtins: builtins(),
  withResources: (files) => ({ ...model, calls: [...settingCalls(files), ...calls] }),
}
