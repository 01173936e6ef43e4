// Statements that Citus refuses on the tables that it divides by organisation. Migrations may not contain them.
import type { SqlStatement } from './sql-statements.ts'

/** The tables of `sql/citus/distribute.sql`. */
const TABLES = [
  ...['wallets', 'movements', 'holds', 'member_months', 'key_spend', 'wallet_accruals', 'usage_points'],
  ...['member_caps', 'key_limits', 'trial_ends'],
]
const TABLE = `(?:(?:if|exists|only|public|\\.) )*(?:${TABLES.join('|')})`
const ALTER = new RegExp(`^alter table ${TABLE} `)
const TRIGGER = new RegExp(`^(?:create|drop) (?:.* )?trigger .* on ${TABLE}\\b`)
const POLICY = new RegExp(`^(?:create|alter) policy .* on ${TABLE} .*\\( select `)
const UNIQUE_INDEX = new RegExp(`^create unique index .*on ${TABLE} (?:using \\w+ )?\\(([^)]*)\\)`)
const APPEND_ONLY = new RegExp(`make_append_only\\s*\\(\\s*'(?:public\\.)?(?:${TABLES.join('|')})'`)

/** Named checks and keys with the organisation are supported; a column with a check, a key or a reference is not. */
const COLUMN_WITH_CONSTRAINT =
  / add (?:column )?(?:if not exists )?(?!(?:constraint|check|foreign|unique|primary|exclude) )\w+ [^,]*\b(?:check|references|unique|primary)\b/
const FOREIGN_KEY = / add (?:constraint \w+ )?foreign key /
const KEY = / add (?:constraint \w+ )?(?:unique|primary key) \(([^)]*)\)/g
const SWITCHED_TRIGGER = / (?:enable|disable) (?:always |replica )?trigger /

export function isRefusedOnDivided({ tokens, text }: SqlStatement): boolean {
  const words = tokens.map((token) => token.text).join(' ')
  if (TRIGGER.test(words) || POLICY.test(words) || APPEND_ONLY.test(text)) return true
  const [, indexed] = UNIQUE_INDEX.exec(words) ?? []
  if (indexed !== undefined) return lacksOrg(indexed)
  if (!ALTER.test(words)) return false
  return (
    [COLUMN_WITH_CONSTRAINT, FOREIGN_KEY, SWITCHED_TRIGGER].some((refused) => refused.test(words)) ||
    [...words.matchAll(KEY)].some(([, columns = '']) => lacksOrg(columns))
  )
}

const lacksOrg = (columns: string): boolean => !/\borg_id\b/.test(columns)
