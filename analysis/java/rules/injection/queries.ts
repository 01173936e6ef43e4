// Rules about LDAP and XPath queries.
import type { Rule } from '../../../rule.ts'
import { flowHit, isMethodOf } from '../taint-flow.ts'

const DIRECTORIES = [
  'javax.naming.directory.DirContext',
  'javax.naming.directory.InitialDirContext',
  'javax.naming.ldap.LdapContext',
  'javax.naming.ldap.InitialLdapContext',
  'org.springframework.ldap.core.LdapTemplate',
  'org.springframework.ldap.core.LdapOperations',
]

export const ldapInjection: Rule = {
  id: 'JV-LDAP-01',
  title: 'An LDAP search is built from input',
  cwe: 90,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input becomes part of the filter or name of an LDAP search. With `*` and parentheses, an attacker finds other entries, or signs in as another user.',
  fix: 'Pass the values as arguments of the filter, `search(base, "(uid={0})", new Object[] { uid }, controls)`, or encode them: `LdapEncoder.filterEncode(uid)`.',
  on: {
    call(event) {
      if (
        !isMethodOf(
          event,
          DIRECTORIES,
          /^(search|searchForObject|searchForContext|find|authenticate|list|lookup)$/,
        )
      )
        return undefined
      for (const index of [0, 1]) {
        const hit = flowHit(event.expr.at, event.arg(index)?.value, {
          sinks: ['ldap'],
          unknownCallsMax: 1,
        })
        if (hit) return hit
      }
      return undefined
    },
  },
}

const XPATHS = [
  'javax.xml.xpath.XPath',
  'org.apache.commons.jxpath.JXPathContext',
  'org.dom4j.Document',
  'org.dom4j.Node',
]

export const xpathInjection: Rule = {
  id: 'JV-XPATH-01',
  title: 'An XPath expression is built from input',
  cwe: 643,
  severity: 'error',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input becomes part of an XPath expression. An attacker can change the query and read other parts of the document.',
  fix: 'Use variables: `xpath.setXPathVariableResolver(…)` and `//user[@name = $name]`. If that is not possible, allow only letters and digits.',
  on: {
    call(event) {
      if (
        !isMethodOf(
          event,
          XPATHS,
          /^(evaluate|evaluateExpression|compile|selectNodes|selectSingleNode|getValue|iterate)$/,
        )
      )
        return undefined
      return flowHit(event.expr.at, event.arg(0)?.value, { sinks: ['xpath'], unknownCallsMax: 1 })
    },
  },
}
