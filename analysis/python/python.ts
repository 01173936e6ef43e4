// The rule catalogue for Python.
import type { Rule } from '../rule.ts'
import { model } from './model/model.ts'
import { assertion, mass, tokens } from './rules/exposure/access.ts'
import { cipher, hash, random } from './rules/exposure/crypto.ts'
import { html } from './rules/exposure/html.ts'
import { loggedSecret, temporary } from './rules/exposure/leaks.ts'
import { cookie, header, trust } from './rules/exposure/sessions.ts'
import { crossSite, debug, origins, sessionKey } from './rules/exposure/settings.ts'
import { certificates, hostKeys } from './rules/exposure/transport.ts'
import { forgery, redirect } from './rules/exposure/urls.ts'
import { code, template } from './rules/injection/code.ts'
import { command } from './rules/injection/commands.ts'
import { deserialization, entities } from './rules/injection/deserialization.ts'
import { archive, path } from './rules/injection/paths.ts'
import { ldap, nosql, xpath } from './rules/injection/queries.ts'
import { sql } from './rules/injection/sql.ts'

const rules: readonly Rule[] = [
  command,
  code,
  sql,
  path,
  archive,
  deserialization,
  template,
  entities,
  forgery,
  redirect,
  html,
  ldap,
  xpath,
  nosql,
  certificates,
  hostKeys,
  cipher,
  hash,
  random,
  debug,
  crossSite,
  origins,
  sessionKey,
  assertion,
  mass,
  tokens,
  cookie,
  header,
  trust,
  loggedSecret,
  temporary,
]

export const python: { readonly model: typeof model; readonly rules: readonly Rule[] } = { model, rules }
