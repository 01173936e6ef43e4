// The first connection to the server of DATABASE_URL: is it there, and is its role no stronger than row-level security?
import { ConfigError } from '../environment/environment.ts'
import { codeOf, isUnavailable } from './errors.ts'
import { openPool } from './pool.ts'

const STRONG =
  "DATABASE_URL names a role that is a superuser or bypasses row-level security, so organisations would not be separated; use a plain role that owns the database: create role cowrie login createrole password '…'"

/** In production a role above row-level security is refused; elsewhere it is warned about. */
export async function checkDatabase(
  url: string,
  refuse: boolean,
  warn: (message: string) => void,
): Promise<void> {
  const sql = openPool(url)
  try {
    // The role that logged in: it can leave any other that it works as.
    const [row] = await sql.rows<{ strong: boolean }>`
      select rolsuper or rolbypassrls as strong from pg_roles where rolname = session_user`
    if (!row?.strong) return
    if (refuse) throw new ConfigError([STRONG])
    warn(STRONG)
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
  const reason = REASONS[code] ?? 'did not answer. Check that it runs and that the network lets us reach it'
  const isSentence = reason.includes('. ')
  return `The server of DATABASE_URL ${reason}${isSentence ? ', or' : '.'} ${isSentence ? 'correct' : 'Correct'} DATABASE_URL (${code}).`
}
