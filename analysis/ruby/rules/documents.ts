// Rules about LDAP filters, XPath expressions and XML with entities.

import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { requestHit } from '../../rule-helpers/request-flow.ts'

export const ldapInjection: Rule = {
  id: 'RB-LDAP-01',
  title: 'An LDAP filter is built from input',
  cwe: 90,
  severity: 'error',
  confidence: 'medium',
  languages: ['ruby'],
  message:
    'Input becomes part of an LDAP filter. With `*)(uid=*` it matches other users, and a sign-in accepts anyone.',
  fix: 'Use `Net::LDAP::Filter.eq("uid", value)`, which escapes, or `Net::LDAP::Filter.escape(value)`.',
  on: { call: findFilter },
}

function findFilter(event: CallEvent): Hit | undefined {
  if (/(?:^|\.)LDAP\.Filter\.(?:construct|from_rfc2254|from_rfc4515)$/.test(event.name))
    return requestHit(event, [event.arg(0)?.value], ['ldap'], 'an LDAP filter')
  const filter = event.method === 'search' && event.imports(/ldap/) ? event.option('filter') : undefined
  return requestHit(event, [filter], ['ldap'], 'an LDAP filter')
}

export const xpathInjection: Rule = {
  id: 'RB-XPATH-01',
  title: 'An XPath expression is built from input',
  cwe: 643,
  severity: 'error',
  confidence: 'medium',
  languages: ['ruby'],
  message:
    'Input becomes part of an XPath expression. With a quote in it, it selects other parts of the document.',
  fix: 'Reject quotes in the value, pass it as a variable, or compare it in the program instead of in the expression.',
  on: {
    call: (event) => {
      const isXPath = event.receiver !== null && /^(?:xpath|at_xpath)$/.test(event.method)
      const isRexml = /REXML\.XPath\.(?:first|each|match)$/.test(event.name)
      if (isRexml) return requestHit(event, [event.arg(1)?.value], ['xpath'], 'an XPath expression')
      return isXPath ? requestHit(event, [event.arg(0)?.value], ['xpath'], 'an XPath expression') : undefined
    },
  },
}

export const externalEntities: Rule = {
  id: 'RB-XXE-01',
  title: 'XML from input is parsed with external entities',
  cwe: 611,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message: 'The document can name files and URLs of this server, and the parser inserts them.',
  fix: 'Parse without `noent` and `dtdload`. The defaults of Nokogiri are safe.',
  on: { call: findParser },
}

function findParser(event: CallEvent): Hit | undefined {
  if (
    !/(?:^|\.)(?:Nokogiri\.XML|Nokogiri|Nokogiri\.XML\.Document\.parse|LibXML\.XML\.(?:Parser|Document)\.\w+|XML)$/.test(
      event.name,
    )
  )
    return undefined
  const isOpen = /\.noent\b|\bNOENT\b|\bDTDLOAD\b|\.dtdload\b|default_substitute_entities/.test(
    event.source(event.expr.at),
  )
  return isOpen ? requestHit(event, [event.arg(0)?.value], [], 'an XML parser') : undefined
}
