// Rules about TLS verification.

import type { FunctionDefinition } from '../../../ir.ts'
import type { CallEvent, ClassEvent, Hit, Rule } from '../../../rule.ts'

export const uncheckedCertificate: Rule = {
  id: 'JV-TLS-01',
  title: 'TLS certificates are not verified',
  cwe: 295,
  severity: 'error',
  confidence: 'high',
  languages: ['java'],
  message:
    'Any certificate, or any host name, is accepted. Anyone on the network path can read and change the traffic.',
  fix: 'Keep the checks of the platform. For your own certificate, add it to a trust store and load that.',
  on: {
    class: (event) => trustsAll(event),
    call: (event) => acceptsAnyHost(event),
  },
}

function trustsAll({ definition }: ClassEvent): Hit | undefined {
  const isOf = (pattern: RegExp) => definition.bases.some((base) => pattern.test(base))
  if (isOf(/(^|\.)(X509TrustManager|X509ExtendedTrustManager)$/)) {
    const check = definition.methods.find(({ name }) => name === 'checkServerTrusted')
    return check && check.body.length === 0 ? { at: check.at } : undefined
  }
  if (!isOf(/(^|\.)HostnameVerifier$/)) return undefined
  const verify = definition.methods.find(({ name }) => name === 'verify')
  return verify && returnsTrue(verify) ? { at: verify.at } : undefined
}

function acceptsAnyHost({ method, args, expr }: CallEvent): Hit | undefined {
  if (!/^(set(Default)?|ssl)?HostnameVerifier$/i.test(method)) return undefined
  const [first] = args
  if (!first) return undefined
  const isLambda = first.expr.kind === 'function' && returnsTrue(first.expr.definition)
  const isNamed = /(NoopHostnameVerifier|ALLOW_ALL_HOSTNAME_VERIFIER|AllowAllHostnameVerifier)/.test(
    first.value.name ?? '',
  )
  return isLambda || isNamed ? { at: expr.at } : undefined
}

function returnsTrue({ body }: FunctionDefinition): boolean {
  const [only, ...rest] = body
  return (
    rest.length === 0 &&
    only?.kind === 'return' &&
    only.value?.kind === 'literal' &&
    only.value.value === true
  )
}
