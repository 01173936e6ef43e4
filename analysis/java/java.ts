// The rule catalogue for Java.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { weakCipher, weakHash } from './rules/exposure/crypto.ts'
import { crossSiteScripting } from './rules/exposure/html.ts'
import { loggedSecret } from './rules/exposure/logging.ts'
import { predictableSecret } from './rules/exposure/randomness.ts'
import { insecureCookie, trustBoundary } from './rules/exposure/sessions.ts'
import { uncheckedCertificate } from './rules/exposure/tls.ts'
import { headerInjection, openRedirect, requestForgery } from './rules/exposure/urls.ts'
import { codeInjection, expressionInjection, unsafeReflection } from './rules/injection/code.ts'
import { commandInjection } from './rules/injection/commands.ts'
import { deserialization, externalEntities } from './rules/injection/parsing.ts'
import { archiveTraversal, pathTraversal } from './rules/injection/paths.ts'
import { ldapInjection, xpathInjection } from './rules/injection/queries.ts'
import { sqlInjection } from './rules/injection/sql.ts'

const rules: readonly Rule[] = [
  sqlInjection,
  commandInjection,
  pathTraversal,
  archiveTraversal,
  crossSiteScripting,
  ldapInjection,
  xpathInjection,
  externalEntities,
  deserialization,
  expressionInjection,
  codeInjection,
  unsafeReflection,
  weakCipher,
  weakHash,
  predictableSecret,
  insecureCookie,
  trustBoundary,
  requestForgery,
  openRedirect,
  headerInjection,
  uncheckedCertificate,
  loggedSecret,
]

export const java = { model, rules }
