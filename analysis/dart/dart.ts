// The rule catalogue for Dart.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { commandInjection, pathTraversal, sqlInjection } from './rules/injection.ts'
import {
  plainStorage,
  uncheckedCertificate,
  weakCipher,
  weakPasswordHash,
  weakRandomness,
} from './rules/secrets.ts'
import { crossSiteScripting, openRedirect, requestForgery, scriptInjection } from './rules/web.ts'

const rules: readonly Rule[] = [
  sqlInjection,
  commandInjection,
  pathTraversal,
  crossSiteScripting,
  scriptInjection,
  openRedirect,
  requestForgery,
  weakRandomness,
  weakPasswordHash,
  weakCipher,
  uncheckedCertificate,
  plainStorage,
]

export const dart = { model, rules }
