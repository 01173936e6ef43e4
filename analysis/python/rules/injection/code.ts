// Rules about strings run as Python code or templates.
import { isCall } from '../../../engine/name-patterns.ts'
import type { Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const code: Rule = {
  id: 'PY-CODE-01',
  title: 'Input is run as Python code',
  cwe: 95,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message:
    '`eval` and `exec` run any code. Emptying `__builtins__` does not prevent it: the sender of this text controls the process.',
  fix: 'Parse values with `ast.literal_eval` or `json.loads`, and select behaviour from a dictionary of functions.',
  on: {
    call(event) {
      if (
        !isCall(
          event,
          'eval',
          'exec',
          'compile',
          'execfile',
          'builtins.eval',
          'builtins.exec',
          '__import__',
          'importlib.import_module',
          'code.interact',
        )
      )
        return undefined
      const taint = findTaint(event.arg(0)?.value, { sinks: ['code'] })
      return taint && flowHit(event, taint)
    },
  },
}

export const template: Rule = {
  id: 'PY-SSTI-01',
  title: 'Input is compiled as a template',
  cwe: 1336,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message:
    'A template is a program. `{{ … }}` in the input reaches every object of the process, and from there the shell.',
  fix: 'Keep templates constant and pass values as variables: `render_template_string("Hello {{ name }}", name=name)`.',
  on: {
    call(event) {
      const isTemplate =
        isCall(event, ...TEMPLATES) ||
        (event.method === 'from_string' && event.imports(/^(?:jinja2|django|flask|mako|chevron)/))
      if (!isTemplate) return undefined
      const taint = findTaint(event.arg(0)?.value ?? event.option('source') ?? event.option('text'), {
        sinks: ['code'],
      })
      return taint && flowHit(event, taint)
    },
  },
}

const TEMPLATES = [
  'flask.render_template_string',
  'quart.render_template_string',
  'jinja2.Template',
  'django.template.Template',
  'mako.template.Template',
  'tornado.template.Template',
  'bottle.SimpleTemplate',
  'bottle.template',
  'jinja2.Environment().from_string',
  'jinja2.environment.Template',
  'chameleon.PageTemplate',
  'Cheetah.Template.Template',
]
