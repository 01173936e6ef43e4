// Checks DATABASE_URL at start: the server answers, and its role does not bypass row-level security.
import { ConfigError } from '../environment/environment.ts'
import { codeOf, isUnavailable } from './errors.ts'
import { openPool } from './pool.ts'

const BYPASSES_RLS =
  "The role in DATABASE_URL is a superuser or bypasses row-level security, so organisations would not be separated. Use a plain role that owns the database: create role cowrie login createrole password '…'"

/** A role that bypasses row-level security is rejected in production and logged as a warning elsewhere. */
export async function checkDatabase(
  url: string,
  refuse: boolean,
  warn: (message: string) => void,
): Promise<void> {
  const sql = openPool(url)
  try {
    // The login role counts: a session can always return to it with RESET ROLE.
    const [row] = await sql.rows<{ bypasses: boolean }>`
      select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = session_user`
    if (!row?.bypasses) return
    if (refuse) throw new ConfigError([BYPASSES_RLS])
    warn(BYPASSES_RLS)
  } catch (error) {
    throw isUnavailable(error) ? new Error(sentenceFor(codeOf(error)), { cause: error }) : error
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection. Start PostgreSQL there',
  ENOTFOUND: 'has a host name that does not exist',
  EAI_AGAIN: 'has a host name that cannot be resolved right now. Check the name server',
  ENOENT: 'has no socket at that path. Start PostgreSQL there',
  '28P01': 'refused the password',
  '28000': 'refused the user',
  '3D000': 'has no such database. Create it',
  '57P03': 'is still starting. Wait a moment',
}

const sentenceFor = (code: string): string => {
  const reason =
    REASONS[code] ?? 'did not answer. Check that it runs and that the network allows the connection'
  const isSentence = reason.includes('. ')
  return `The server of DATABASE_URL ${reason}${isSentence ? ', or' : '.'} ${isSentence ? 'correct' : 'Correct'} DATABASE_URL (${code}).`
}
