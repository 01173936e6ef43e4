// Data that does more than be read: objects with code in them, documents that fetch others, queries made of texts.
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { flow } from '../taint-flow.ts'

export const parsingRules: readonly Rule[] = [
  {
    id: 'JS-DESER-01',
    title: 'Input is turned into objects that can run code',
    cwe: 502,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'The format can hold functions: reading it runs what whoever wrote it put there.',
    fix: 'Use `JSON.parse` and check the result against a schema.',
    on: {
      call(event) {
        if (!isUnsafeReader(event)) return undefined
        return flow(event.expr.at, event.arg(0)?.value, {
          cleanedBy: ['code'],
          origins: ['request', 'parameter'],
        })
      },
    },
  },
  {
    id: 'JS-XXE-01',
    title: 'An XML document may fetch others',
    cwe: 611,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'Entities in the document read files of the server and call addresses of the inner network.',
    fix: 'Leave `noent` and `dtdload` off.',
    on: { call: expanding },
  },
  {
    id: 'JS-LDAP-01',
    title: 'A directory filter is built from a request',
    cwe: 90,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'With `*` or `)(` in it the value changes what is asked: everybody matches.',
    fix: 'Build the filter from objects (`new EqualityFilter({ attribute, value })`), or escape `* ( ) \\ NUL`.',
    on: {
      call(event) {
        if (!event.imports(/ldap/) || !/^(?:search|searchAsync|find)$/.test(event.method)) return undefined
        const filter = event.option('filter') ?? event.arg(1)?.value
        return filter?.pieces ? flow(event.expr.at, filter, { cleanedBy: ['ldap'] }) : undefined
      },
    },
  },
  {
    id: 'JS-XPATH-01',
    title: 'An XPath expression is built from a request',
    cwe: 643,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'A quote in the value ends the text it stands in: the rest is read as a part of the expression.',
    fix: 'Use variables (`xpath.parse(…).select({ variables })`), or refuse quotes.',
    on: {
      call(event) {
        const isXpath = /^xpath\.(?:select|select1|evaluate|parse|useNamespaces\(\))$/.test(event.name)
        return isXpath ? flow(event.expr.at, event.arg(0)?.value, { cleanedBy: ['xpath'] }) : undefined
      },
    },
  },
]

function isUnsafeReader(event: CallEvent): boolean {
  if (READERS.has(event.name)) return true
  const schema = event.option('schema')?.name ?? ''
  return event.name === 'js-yaml.load' && /DEFAULT_FULL_SCHEMA|js-yaml-js-types/.test(schema)
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
