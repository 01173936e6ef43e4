// Input that is run: expressions, scripts, templates, classes by name.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { around, flowInto, isMethodOf } from '../taint-flow.ts'

export const expressionInjection: Rule = {
  id: 'JV-SPEL-01',
  title: 'Expression from input evaluated',
  cwe: 917,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input is evaluated as an expression. Expression languages can call any method: whoever sends it runs code of their own.',
  fix: 'Evaluate constant expressions and give input as variables. In Spring, `SimpleEvaluationContext.forReadOnlyDataBinding()` takes the dangerous parts away.',
  on: {
    call(event) {
      if (/SimpleEvaluationContext/.test(around(event))) return undefined
      return flowInto(event.expr.at, expressionOf(event), { cleanedBy: ['code'], unknownCallsMax: 1 })
    },
  },
}

const PARSERS = [
  'org.springframework.expression.ExpressionParser',
  'org.springframework.expression.spel.standard.SpelExpressionParser',
]

function expressionOf(event: CallEvent): AbstractValue | undefined {
  const { name } = event
  if (isMethodOf(event, PARSERS, /^parse(Expression|Raw)$/)) return event.arg(0)?.value
  if (/(^|\.)Ognl\.(getValue|setValue|parseExpression)$/.test(name)) return event.arg(0)?.value
  if (/(^|\.)MVEL\.(eval|evalToString|compileExpression|executeExpression)$/.test(name))
    return event.arg(0)?.value
  if (isMethodOf(event, ['javax.el.ELProcessor'], /^(eval|getValue|setValue)$/)) return event.arg(0)?.value
  if (isMethodOf(event, ['javax.el.ExpressionFactory'], /^create(Value|Method)Expression$/))
    return event.arg(1)?.value
  return isMethodOf(event, ['org.apache.commons.jexl3.JexlEngine'], /^create(Expression|Script)$/)
    ? event.arg(0)?.value
    : undefined
}

export const codeInjection: Rule = {
  id: 'JV-CODE-01',
  title: 'Script or template from input run',
  cwe: 94,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message: 'Input is run as a script or a template. Whoever sends it runs code of their own on the server.',
  fix: 'Run constant scripts and templates, and give input to them as variables.',
  on: {
    call: (event) => flowInto(event.expr.at, scriptOf(event), { cleanedBy: ['code'], unknownCallsMax: 1 }),
  },
}

function scriptOf(event: CallEvent): AbstractValue | undefined {
  if (isMethodOf(event, ['javax.script.ScriptEngine', 'javax.script.Compilable'], /^(eval|compile)$/))
    return event.arg(0)?.value
  if (isMethodOf(event, ['groovy.lang.GroovyShell'], /^(evaluate|parse|run)$/)) return event.arg(0)?.value
  if (isMethodOf(event, ['groovy.lang.GroovyClassLoader'], /^parseClass$/)) return event.arg(0)?.value
  if (
    /(^|\.)Velocity\.evaluate$/.test(event.name) ||
    isMethodOf(event, ['org.apache.velocity.app.VelocityEngine'], /^evaluate$/)
  )
    return event.arg(3)?.value
  return event.isNew && event.name === 'freemarker.template.Template' ? event.arg(1)?.value : undefined
}

export const unsafeReflection: Rule = {
  id: 'JV-REFLECT-01',
  title: 'Class chosen by input',
  cwe: 470,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input names the class that is loaded. Loading a class runs code in it, and an object of an unexpected class does unexpected things.',
  fix: 'Look the name up in a map of the classes that may be used, and refuse everything else.',
  on: {
    call(event) {
      const isLoad =
        event.name === 'java.lang.Class.forName' ||
        isMethodOf(event, ['java.lang.ClassLoader'], /^loadClass$/)
      return isLoad
        ? flowInto(event.expr.at, event.arg(0)?.value, { cleanedBy: ['code'], unknownCallsMax: 1 })
        : undefined
    },
  },
}
