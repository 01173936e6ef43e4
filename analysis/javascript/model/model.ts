// The language model of JavaScript and TypeScript.

import type { SinkKind } from '../../abstract-value.ts'
import type { LanguageModel } from '../../language-model.ts'
import { lower } from '../lowering/lower.ts'
import { guards } from './guards.ts'
import { nodeCalls } from './node-library.ts'
import { pageCalls } from './page.ts'
import { parameterValue } from './parameters.ts'
import { promiseCalls } from './promises.ts'
import { sanitizerCalls } from './sanitizers.ts'
import { stringCalls } from './strings.ts'

export const model: LanguageModel = {
  language: 'javascript',
  lower,
  sources: [
    ...['search', 'hash', 'href', 'pathname'].flatMap((part) =>
      ['location', 'window.location', 'document.location', 'self.location', 'top.location'].map((holder) => ({
        name: `${holder}.${part}`,
        origin: 'request' as const,
      })),
    ),
    ...['document.URL', 'document.documentURI', 'document.referrer', 'window.name'].map((name) => ({
      name,
      origin: 'request' as const,
    })),
    ...[
      '*.dataset',
      '*.textContent',
      '*.innerText',
      'document.querySelector().value',
      'document.getElementById().value',
    ].map((name) => ({ name, origin: 'stored' as const })),
    // Widgets and components receive these from their caller, often in a class of another file.
    ...['this.options', 'this.opts', 'this.settings', 'this.config', 'this.props'].map((name) => ({
      name,
      origin: 'parameter' as const,
    })),
    { name: 'process.argv', origin: 'environment' },
    { name: 'process.env', origin: 'environment' },
  ],
  calls: [...sanitizerCalls, ...nodeCalls, ...pageCalls, ...promiseCalls, ...stringCalls],
  guards,
  parameter: parameterValue,
  sanitizersByName: sanitizersByName,
  globals: new Set(
    'process console Buffer global globalThis window document location require module exports JSON Math Object Array String Number Promise URL Date RegExp Reflect Set Map fetch eval Function setTimeout setInterval self top navigator localStorage'.split(
      ' ',
    ),
  ),
}

/**
 * A function named as a sanitizer is trusted. Its body is often a loop over characters that the engine
 * cannot follow.
 */
function sanitizersByName(name: string): readonly SinkKind[] {
  if (SHELL_SANITIZER.test(name)) return ['shell']
  return HTML_SANITIZER.test(name) ? ['html'] : []
}

const SHELL_SANITIZER =
  /^(?:shell|sh|bash|cmd|command|args?)_?(?:escape|quote)|^(?:escape|quote|sanitize|sanitise|clean)_?(?:for_?)?(?:shell|bash|cmd|command|args?)/i
const HTML_SANITIZER =
  /^(?:esc|escape|encode|sanitize|sanitise)_?(?:for_?)?(?:html|xml)|^(?:html|xml)_?(?:esc|escape|encode)/i
