// The rule catalogue for PHP.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { chosenFunction, codeInjection, extractedInput } from './rules/code.ts'
import { commandInjection } from './rules/commands.ts'
import { fileInclusion, pathTraversal } from './rules/files.ts'
import { crossSiteScripting } from './rules/html.ts'
import { keptUploadName, massAssignment, unsafeDeserialization } from './rules/objects.ts'
import { externalEntities, ldapInjection, nosqlInjection, xpathInjection } from './rules/queries.ts'
import { uncheckedCertificate, weakCipher, weakPasswordHash, weakRandomness } from './rules/secrets.ts'
import { debugOutput, mailHeaders, openCookie } from './rules/server.ts'
import { sqlInjection } from './rules/sql.ts'
import { openRedirect, requestForgery } from './rules/urls.ts'

export const rules: readonly Rule[] = [
  sqlInjection,
  commandInjection,
  crossSiteScripting,
  fileInclusion,
  pathTraversal,
  unsafeDeserialization,
  keptUploadName,
  massAssignment,
  openRedirect,
  requestForgery,
  codeInjection,
  chosenFunction,
  extractedInput,
  ldapInjection,
  xpathInjection,
  nosqlInjection,
  externalEntities,
  weakPasswordHash,
  weakRandomness,
  weakCipher,
  uncheckedCertificate,
  mailHeaders,
  openCookie,
  debugOutput,
]

export { model }
