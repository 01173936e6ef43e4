// Rules about unsafe deserialization, XML entities, LDAP and XPath.
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { flowHit } from '../taint-flow.ts'

export const parsingRules: readonly Rule[] = [
  {
    id: 'JS-DESER-01',
    title: 'Input is deserialized to objects that can run code',
    cwe: 502,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'The format can contain functions. Reading it runs the code of its author.',
    fix: 'Use `JSON.parse` and validate the result with a schema.',
    on: {
      call(event) {
        if (!isUnsafeReader(event)) return undefined
        return flowHit(event.expr.at, event.arg(0)?.value, {
          sinks: ['code'],
          origins: ['request', 'parameter'],
        })
      },
    },
  },
  {
    id: 'JS-XXE-01',
    title: 'An XML parser resolves external entities',
    cwe: 611,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'Entities in the document can read files of the server and call internal addresses.',
    fix: 'Leave `noent` and `dtdload` off.',
    on: { call: expanding },
  },
  {
    id: 'JS-LDAP-01',
    title: 'An LDAP filter is built from input',
    cwe: 90,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'With `*` or `)(` in the value the filter matches other entries, or all of them.',
    fix: 'Build the filter from objects (`new EqualityFilter({ attribute, value })`), or escape `* ( ) \\ NUL`.',
    on: {
      call(event) {
        if (!/^(?:search|searchAsync|find)$/.test(event.method) || !event.imports(/ldap/)) return undefined
        const filter = event.option('filter') ?? event.arg(1)?.value
        return filter?.pieces ? flowHit(event.expr.at, filter, { sinks: ['ldap'] }) : undefined
      },
    },
  },
  {
    id: 'JS-XPATH-01',
    title: 'An XPath expression is built from input',
    cwe: 643,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'A quote in the value ends the string literal. The rest is parsed as part of the expression.',
    fix: 'Use variables (`xpath.parse(…).select({ variables })`), or reject quotes.',
    on: {
      call(event) {
        const isXpath = /^xpath\.(?:select|select1|evaluate|parse|useNamespaces\(\))$/.test(event.name)
        return isXpath ? flowHit(event.expr.at, event.arg(0)?.value, { sinks: ['xpath'] }) : undefined
      },
    },
  },
]

function isUnsafeReader(event: CallEvent): boolean {
  if (READERS.has(event.name)) return true
  if (event.name !== 'js-yaml.load') return false
  return /DEFAULT_FULL_SCHEMA|js-yaml-js-types/.test(event.option('schema')?.name ?? '')
}

const READERS: ReadonlySet<string> = new Set([
  'node-serialize.unserialize',
  'serialize-to-js.deserialize',
  'serialijse.deserialize',
  'funcster.deepDeserialize',
  'cryo.parse',
  'v8.deserialize',
])

function expanding(event: CallEvent): Hit | undefined {
  const isXml = /^(?:libxmljs2?|libxml-xsd|libxmljs-mt|xmldom|node-libxml)\b/.test(event.name)
  if (!isXml || !/parse/i.test(event.method)) return undefined
  const isOpen = ['noent', 'dtdload', 'replaceEntities'].some((name) => event.option(name)?.known === true)
  const document = event.arg(0)?.value
  return isOpen && document?.known === undefined ? { at: event.expr.at } : undefined
}
