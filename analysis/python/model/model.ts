// The language model of Python.
import type { LanguageModel } from '../../language-model.ts'
import { lower } from '../lowering/lower.ts'
import { collectionCalls } from './collections.ts'
import { configCalls } from './configparser.ts'
import { cryptoCalls } from './crypto.ts'
import { guards } from './guards.ts'
import { libraryCalls } from './libraries.ts'
import { parameter } from './parameters.ts'
import { requestCalls, requestSources } from './requests.ts'
import { stringCalls } from './strings.ts'
import { bufferCalls } from './text-buffers.ts'

/** `build_safe_path`, `safe_join`, `secure_filename`. */
const SAFE_PATH = /(?:safe|secure)_?\w*(?:path|join|file_?name)/i

export const model: LanguageModel = {
  language: 'python',
  lower,
  sources: requestSources,
  // The first match wins, so specific calls precede those of any object.
  calls: [
    ...requestCalls,
    ...configCalls,
    ...bufferCalls,
    ...cryptoCalls,
    ...libraryCalls,
    ...collectionCalls,
    ...stringCalls,
  ],
  guards,
  parameter,
  sanitizersByName: (name) => (SAFE_PATH.test(name) ? ['path'] : []),
  globals: new Set(
    (
      'open eval exec compile input raw_input print int float bool str bytes bytearray repr ascii format len ord chr round abs hash ' +
      'id sum isinstance issubclass callable type range hasattr getattr setattr delattr any all list tuple set frozenset dict ' +
      'sorted reversed filter map zip enumerate next iter max min super object property staticmethod classmethod globals locals ' +
      'vars dir hex oct bin pow divmod unicode execfile reload file memoryview __import__ __name__ __file__ AssertionError Exception ' +
      'ValueError KeyError TypeError RuntimeError PermissionError NotImplementedError'
    ).split(' '),
  ),
}
