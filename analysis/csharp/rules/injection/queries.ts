// Rules about LDAP and XPath queries.

import type { AbstractValue } from '../../../abstract-value.ts'
import { flowHit } from '../../../java/rules/taint-flow.ts'
import type { Hit, Rule } from '../../../rule.ts'
import type { SourceRange } from '../../../syntax/tree.ts'

const ldapFlow = (at: SourceRange, value: AbstractValue | undefined): Hit | undefined =>
  flowHit(at, value, { sinks: ['ldap'], unknownCallsMax: 1 })

export const ldapInjection: Rule = {
  id: 'CS-LDAP-01',
  title: 'An LDAP search is built from input',
  cwe: 90,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'Input becomes part of the filter or name of an LDAP search. With `*` and parentheses, an attacker finds other entries, or signs in as another user.',
  fix: 'Encode the value: `Encoder.LdapFilterEncode(uid)`, or allow only letters and digits.',
  on: {
    call({ isNew, name, args, expr }) {
      if (!isNew || !/^(?:DirectorySearcher|SearchRequest|DirectoryEntry)$/.test(name)) return undefined
      return args.map(({ value }) => ldapFlow(expr.at, value)).find((hit) => hit !== undefined)
    },
    assign: ({ name, object, value, expr, text }) =>
      name === 'Filter' && (object?.type === 'DirectorySearcher' || /\bDirectorySearcher\b/.test(text))
        ? ldapFlow(expr.at, value)
        : undefined,
  },
}

export const xpathInjection: Rule = {
  id: 'CS-XPATH-01',
  title: 'An XPath expression is built from input',
  cwe: 643,
  severity: 'error',
  confidence: 'medium',
  languages: ['csharp'],
  message:
    'Input becomes part of an XPath expression. An attacker can change the query and read other parts of the document.',
  fix: 'Compare values in code (`Elements().Where(e => e.Value == name)`), or allow only letters and digits.',
  on: {
    call(event) {
      const isQuery =
        /^(?:SelectNodes|SelectSingleNode|XPathSelectElements?|XPathEvaluate)$/.test(event.method) ||
        /^XPathExpression\.Compile$/.test(event.name)
      return isQuery && event.receiver?.classDefinition === undefined
        ? flowHit(event.expr.at, event.arg(0)?.value, { sinks: ['xpath'], unknownCallsMax: 1 })
        : undefined
    },
  },
}
