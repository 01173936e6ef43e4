// Rules about XML entities, unsafe deserialization and code from input.

import { enclosingText, flowHit, isMethodOf } from '../../../java/rules/taint-flow.ts'
import type { AssignEvent, CallEvent, Hit, Rule } from '../../../rule.ts'

export const externalEntities: Rule = {
  id: 'CS-XXE-01',
  title: 'An XML parser resolves external entities',
  cwe: 611,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'The parser loads what the document names. A document from outside can make the server read its own files and call other servers.',
  fix: 'Keep the defaults of current .NET, or set `XmlResolver = null` and `DtdProcessing = DtdProcessing.Prohibit`.',
  on: {
    assign(event) {
      const { name, source, expr } = event
      const written = source(expr.at)
      if (name === 'XmlResolver' && /^new\s+[\w.]*XmlUrlResolver\b/.test(written)) return { at: expr.at }
      const isParsed = name === 'DtdProcessing' && /\bDtdProcessing\.Parse$/.test(written)
      // Without a resolver, a document type can only be large.
      const isOld = /ProhibitDtd|XmlUrlResolver/.test(enclosingText(event))
      return isParsed && isOld ? { at: expr.at } : undefined
    },
    call(event) {
      // The reader of .NET Framework resolves by default.
      if (
        !event.isNew ||
        event.name !== 'XmlTextReader' ||
        /XmlResolver\s*=\s*null|DtdProcessing\.(?:Prohibit|Ignore)/.test(event.text)
      )
        return undefined
      const hit = flowHit(event.expr.at, event.arg(0)?.value, { sinks: [], isDeep: true, unknownCallsMax: 1 })
      return hit && { ...hit, severity: 'warn' }
    },
  },
}

const FORMATTERS = [
  'BinaryFormatter',
  'SoapFormatter',
  'NetDataContractSerializer',
  'LosFormatter',
  'ObjectStateFormatter',
]

export const deserialization: Rule = {
  id: 'CS-DESER-01',
  title: 'Objects of any type are deserialized',
  cwe: 502,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message: 'The data names the types that are created. Types of the framework are enough to run commands.',
  fix: 'Use `System.Text.Json` or Json.NET with `TypeNameHandling.None` into your own types.',
  on: {
    call(event) {
      if (!isMethodOf(event, FORMATTERS, /^(?:Deserialize|UnsafeDeserialize|ReadObject)$/)) return undefined
      const hit = flowHit(event.expr.at, event.arg(0)?.value, { sinks: [], isDeep: true, unknownCallsMax: 1 })
      if (hit) return hit
      return { at: event.expr.at, severity: 'note', confidence: 'medium' }
    },
    assign: (event) => typeNames(event),
  },
}

/** Json.NET creates the types that the JSON names. */
function typeNames({ name, source, expr, text }: AssignEvent): Hit | undefined {
  const isNamed =
    name === 'TypeNameHandling' && /\bTypeNameHandling\.(?:All|Auto|Objects|Arrays)$/.test(source(expr.at))
  return isNamed && !/SerializationBinder|ISerializationBinder|\bBinder\s*=/.test(text)
    ? { at: expr.at, severity: 'warn' }
    : undefined
}

export const codeInjection: Rule = {
  id: 'CS-CODE-01',
  title: 'Code or a type from input is run',
  cwe: 94,
  severity: 'error',
  confidence: 'high',
  languages: ['csharp'],
  message:
    'Input is run as code, or names the type or library to load. An attacker can run code on the server.',
  fix: 'Look the name up in a dictionary of allowed types, and do not run code from outside.',
  on: {
    call(event) {
      const { name } = event
      const isScript = /^CSharpScript\.(?:EvaluateAsync|RunAsync|Create)$/.test(name)
      const isLoad = /^(?:Assembly\.(?:Load|LoadFrom|LoadFile)|Type\.GetType)$/.test(name)
      if (!isScript && !isLoad) return undefined
      const hit = flowHit(event.expr.at, event.arg(0)?.value, { sinks: ['code'], unknownCallsMax: 1 })
      return hit && (isLoad ? { ...hit, severity: 'warn' } : hit)
    },
  },
}

export const unsafePattern: Rule = {
  id: 'CS-REGEX-01',
  title: 'A regular expression comes from input',
  cwe: 1333,
  severity: 'warn',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'Input is the pattern of a regular expression. A crafted pattern keeps a processor busy for hours.',
  fix: 'Escape the value with `Regex.Escape`, or pass a timeout as the last argument.',
  on: {
    call(event) {
      const pattern = patternOf(event)
      const isLimited = event.args.some(({ expr }) =>
        /TimeSpan|timeout|NonBacktracking/i.test(event.source(expr.at)),
      )
      if (!pattern || isLimited || /REGEX_DEFAULT_MATCH_TIMEOUT/.test(event.text)) return undefined
      return flowHit(event.expr.at, pattern.value, { sinks: ['regex'] })
    },
  },
}

function patternOf(event: CallEvent) {
  if (event.isNew && event.name === 'Regex') return event.arg(0)
  return /^Regex\.(?:IsMatch|Match|Matches|Replace|Split)$/.test(event.name) ? event.arg(1) : undefined
}
