// Library objects that rules recognize by type: databases, templates and inspected literals.

import { UNTAINTED } from '../../abstract-value.ts'
import type { CallModel } from '../../language-model.ts'
import { resultWithError, withType } from './values.ts'

const DATABASES: Readonly<Record<string, string>> = {
  'database/sql.Open': '*database/sql.DB',
  'github.com/jmoiron/sqlx.Open': '*github.com/jmoiron/sqlx.DB',
  'github.com/jmoiron/sqlx.Connect': '*github.com/jmoiron/sqlx.DB',
  'gorm.io/gorm.Open': '*gorm.io/gorm.DB',
}

export const templateCalls: readonly CallModel[] = [
  ...Object.entries(DATABASES).map(([name, type]) => ({
    name,
    returns: () => resultWithError(withType(type)),
  })),
  {
    name: ['sql.DB#Begin', 'sql.DB#BeginTx', 'sqlx.DB#Beginx'],
    returns: () => resultWithError(withType('*database/sql.Tx')),
  },
  { name: 'text/template.New', returns: () => withType('*text/template.Template') },
  { name: 'html/template.New', returns: () => withType('*html/template.Template') },
  {
    name: ['text/template.ParseFiles', 'text/template.ParseGlob', 'text/template.ParseFS'],
    returns: () => resultWithError(withType('*text/template.Template')),
  },
  {
    name: ['html/template.ParseFiles', 'html/template.ParseGlob', 'html/template.ParseFS'],
    returns: () => resultWithError(withType('*html/template.Template')),
  },
  {
    name: [
      'template.Template#Parse',
      'template.Template#ParseFiles',
      'template.Template#ParseFS',
      'template.Template#ParseGlob',
    ],
    returns: ({ receiver }) => resultWithError(receiver ?? UNTAINTED),
  },
  {
    name: [
      'template.Template#Funcs',
      'template.Template#Delims',
      'template.Template#Option',
      'template.Template#New',
    ],
    returns: ({ receiver }) => receiver ?? UNTAINTED,
  },
  {
    // A constructor call of an inspected type keeps its fields.
    name: [
      'net/http.Cookie',
      'net/http.Server',
      'crypto/tls.Config',
      'os/exec.Cmd',
      '*.Options',
      '*.Upgrader',
    ],
    returns: ({ isNew, arg, name }) => (isNew ? withType(name, arg(0)?.value ?? UNTAINTED) : undefined),
  },
  {
    name: ['net/http.NewRequest', 'net/http.NewRequestWithContext'],
    returns: () => resultWithError(withType('*net/http.Request')),
  },
]
