// Rules about expressions, scripts, templates and classes from input.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { enclosingText, flowHit, isMethodOf } from '../taint-flow.ts'

export const expressionInjection: Rule = {
  id: 'JV-SPEL-01',
  title: 'An expression from input is evaluated',
  cwe: 917,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input is evaluated as an expression. Expression languages can call any method, so an attacker can run code.',
  fix: 'Evaluate constant expressions and pass input as variables. In Spring, `SimpleEvaluationContext.forReadOnlyDataBinding()` disables the dangerous features.',
  on: {
    call(event) {
      const expression = expressionOf(event)
      if (!expression || /SimpleEvaluationContext/.test(enclosingText(event))) return undefined
      return flowHit(event.expr.at, expression, { sinks: ['code'], unknownCallsMax: 1 })
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
  title: 'A script or template from input is run',
  cwe: 94,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message: 'Input is run as a script or template. An attacker can run code on the server.',
  fix: 'Run constant scripts and templates, and pass input to them as variables.',
  on: {
    call: (event) => flowHit(event.expr.at, scriptOf(event), { sinks: ['code'], unknownCallsMax: 1 }),
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
  title: 'Input decides which class is loaded',
  cwe: 470,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'Input names the class to load. Loading a class runs its code, and an instance of an unexpected class behaves unexpectedly.',
  fix: 'Look the name up in a map of allowed classes, and reject everything else.',
  on: {
    call(event) {
      const isLoad =
        event.name === 'java.lang.Class.forName' ||
        isMethodOf(event, ['java.lang.ClassLoader'], /^loadClass$/)
      return isLoad
        ? flowHit(event.expr.at, event.arg(0)?.value, { sinks: ['code'], unknownCallsMax: 1 })
        : undefined
    },
  },
}
