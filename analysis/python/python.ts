// Python: how it is read, and what is looked for in it.
import type { Rule } from '../rule.ts'
import { model } from './model.ts'
import { assertion, mass, tokens } from './rules/access.ts'
import { forgery, redirect } from './rules/address.ts'
import { code, template } from './rules/code.ts'
import { command } from './rules/command.ts'
import { cipher, hash, random } from './rules/crypto.ts'
import { deserialization, entities } from './rules/deserialization.ts'
import { html } from './rules/html.ts'
import { logged, temporary } from './rules/leaks.ts'
import { archive, path } from './rules/path.ts'
import { ldap, nosql, xpath } from './rules/queries.ts'
import { cookie, header, trust } from './rules/session.ts'
import { crossSite, debug, origins, sessionKey } from './rules/settings.ts'
import { sql } from './rules/sql.ts'
import { certificates, hostKeys } from './rules/transport.ts'

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
  logged,
  temporary,
]

export const python: { readonly model: typeof model; readonly rules: readonly Rule[] } = { model, rules }
