// The rule catalogue for Ruby.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { chosenMethod, codeInjection, massAssignment, unsafeDeserialization } from './rules/code.ts'
import { commandInjection } from './rules/commands.ts'
import {
  uncheckedCertificate,
  uncheckedToken,
  weakCipher,
  weakPasswordHash,
  weakRandomness,
} from './rules/crypto.ts'
import { externalEntities, ldapInjection, xpathInjection } from './rules/documents.ts'
import { pathTraversal } from './rules/files.ts'
import { crossSiteScripting, templateInjection } from './rules/html.ts'
import { sqlInjection } from './rules/sql.ts'
import { openRedirect, requestForgery } from './rules/urls.ts'

const rules: readonly Rule[] = [
  sqlInjection,
  commandInjection,
  pathTraversal,
  crossSiteScripting,
  templateInjection,
  codeInjection,
  chosenMethod,
  unsafeDeserialization,
  massAssignment,
  requestForgery,
  openRedirect,
  ldapInjection,
  xpathInjection,
  externalEntities,
  weakPasswordHash,
  weakRandomness,
  weakCipher,
  uncheckedCertificate,
  uncheckedToken,
]

export const ruby = { model, rules }
