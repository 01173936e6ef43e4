// The language model of Java.
import type { LanguageModel } from '../../language-model.ts'
import { builtins } from '../library-classes.ts'
import { lower } from '../lowering/lower.ts'
import { collectionCalls } from './collections.ts'
import { objectCalls } from './objects.ts'
import { parameter } from './parameters.ts'
import { propertiesCalls } from './properties-files.ts'
import { partCalls, requestCalls } from './requests.ts'
import { guards, sanitizerCalls } from './sanitizers.ts'
import { streamCalls } from './streams.ts'
import { builderCalls, stringCalls } from './strings.ts'
import { typeCalls } from './types.ts'

/** The first match wins, so models by type precede models by name. */
const calls: LanguageModel['calls'] = [
  ...objectCalls,
  ...requestCalls,
  ...builderCalls,
  ...streamCalls,
  ...collectionCalls,
  ...typeCalls,
  ...sanitizerCalls,
  ...stringCalls,
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
  withResources: (files) => ({ ...model, calls: [...propertiesCalls(files), ...calls] }),
}
