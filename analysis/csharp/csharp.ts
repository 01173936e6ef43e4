// The rule catalogue for C#.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { predictableSecret, weakCipher, weakHash } from './rules/exposure/crypto.ts'
import { crossSiteScripting, openRedirect, requestForgery } from './rules/exposure/pages.ts'
import { insecureCookie, loggedSecret, uncheckedCertificate } from './rules/exposure/transport.ts'
import { commandInjection } from './rules/injection/commands.ts'
import { codeInjection, deserialization, externalEntities, unsafePattern } from './rules/injection/parsing.ts'
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
  codeInjection,
  unsafePattern,
  weakCipher,
  weakHash,
  predictableSecret,
  insecureCookie,
  requestForgery,
  openRedirect,
  uncheckedCertificate,
  loggedSecret,
]

export const csharp = { model, rules }
