// The rule catalogue for Go.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { commandInjection } from './rules/commands.ts'
import { hardCodedSigningKey, weakCipher, weakPasswordHash } from './rules/crypto.ts'
import { crossSiteScripting, templateInjection } from './rules/html.ts'
import { loggedSecret } from './rules/logging.ts'
import { narrowedNumber } from './rules/numbers.ts'
import { archiveTraversal, pathTraversal } from './rules/paths.ts'
import { weakRandomness } from './rules/randomness.ts'
import { noTimeout, openCookie } from './rules/server.ts'
import { sqlInjection } from './rules/sql.ts'
import { uncheckedCertificate } from './rules/tls.ts'
import { ignoredCommit } from './rules/transactions.ts'
import { openRedirect, requestForgery } from './rules/urls.ts'

export const rules: readonly Rule[] = [
  sqlInjection,
  commandInjection,
  pathTraversal,
  archiveTraversal,
  requestForgery,
  openRedirect,
  crossSiteScripting,
  templateInjection,
  uncheckedCertificate,
  weakRandomness,
  weakPasswordHash,
  weakCipher,
  hardCodedSigningKey,
  noTimeout,
  openCookie,
  narrowedNumber,
  ignoredCommit,
  loggedSecret,
]

export { model }
