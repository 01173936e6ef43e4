// Java: how it is read, and what is looked for in it.
import type { Rule } from '../rule.ts'
import { model } from './model.ts'
import { headerInjection, openRedirect, requestForgery } from './rules/addresses.ts'
import { codeInjection, expressionInjection, unsafeReflection } from './rules/code.ts'
import { commandInjection } from './rules/command.ts'
import { weakCipher, weakHash } from './rules/crypto.ts'
import { loggedSecret } from './rules/logging.ts'
import { deserialization, externalEntities } from './rules/parsing.ts'
import { archiveTraversal, pathTraversal } from './rules/path.ts'
import { ldapInjection, xpathInjection } from './rules/queries.ts'
import { guessableSecret } from './rules/random.ts'
import { insecureCookie, trustBoundary } from './rules/sessions.ts'
import { sqlInjection } from './rules/sql.ts'
import { uncheckedCertificate } from './rules/tls.ts'
import { crossSiteScripting } from './rules/xss.ts'

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
  guessableSecret,
  insecureCookie,
  trustBoundary,
  requestForgery,
  openRedirect,
  headerInjection,
  uncheckedCertificate,
  loggedSecret,
]

export const java = { model, rules }
