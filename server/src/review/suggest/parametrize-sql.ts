// Rewrites a query with values in its text to placeholders and arguments, where the library of the file decides their form.

/** `one` is a placeholder for every value; otherwise they are numbered. */
type Driver = { readonly pattern: RegExp; readonly placeholder: (at: number) => string }

const DRIVERS: Readonly<Record<'js' | 'py', readonly Driver[]>> = {
  js: [
    {
      pattern: /(?:from\s+|require\()['"](?:pg|postgres|@neondatabase\/serverless)['"]/,
      placeholder: (at) => `$${at}`,
    },
    {
      pattern:
        /(?:from\s+|require\()['"](?:mysql2?(?:\/promise)?|mariadb|sqlite3?|better-sqlite3|node:sqlite)['"]/,
      placeholder: () => '?',
    },
  ],
  py: [
    {
      pattern: /^\s*(?:import|from)\s+(?:psycopg2?|MySQLdb|pymysql|mysql\.connector|django)\b/m,
      placeholder: () => '%s',
    },
    { pattern: /^\s*(?:import|from)\s+(?:sqlite3|aiosqlite)\b/m, placeholder: () => '?' },
  ],
}

/** Null when the statement has another form. */
export function parametrizeStatement(statement: string, file: string, path: string): string | null {
  const language = /\.[cm]?[jt]sx?$/.test(path) ? 'js' : path.endsWith('.py') ? 'py' : null
  if (language === null) return null
  const known = DRIVERS[language].filter(({ pattern }) => pattern.test(file))
  const [driver] = known
  if (!driver || known.length > 1) return null
  return language === 'js' ? parametrizeScript(statement, driver) : parametrizePython(statement, driver)
}

/** `db.query(`… ${id}`)` */
const SCRIPT_CALL = /(\.(?:query|execute|all|get|run|each|prepare)\(\s*)(`(?:[^`\\]|\\.)*`)(\s*[,)])/
/** `cursor.execute(f"… {id}")` */
const PYTHON_CALL = /(\.execute\(\s*)f("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(\s*\))/

function parametrizeScript(statement: string, driver: Driver): string | null {
  const call = SCRIPT_CALL.exec(joinText(statement))
  // Prepared statements take their values later.
  if (!call || call[1]?.includes('prepare')) return null
  const [whole, head = '', literal = '', tail = ''] = call
  const parts = splitText(literal.slice(1, -1), /\$\{([^{}`'"]+)\}/g, driver)
  if (parts === null || (tail.trim() === ',' && !isCallback(joinText(statement), call))) return null
  const text = parts.text.includes('\n') ? `\`${parts.text}\`` : quote(parts.text)
  return joinText(statement).replace(whole, () => `${head}${text}, [${parts.values.join(', ')}]${tail}`)
}

function parametrizePython(statement: string, driver: Driver): string | null {
  const call = PYTHON_CALL.exec(statement)
  if (!call) return null
  const [whole, head = '', literal = '', tail = ''] = call
  // A percent sign in the text would be taken for a placeholder.
  if (literal.includes('%')) return null
  const parts = splitText(literal.slice(1, -1), /\{([^{}!:"']+)\}/g, driver)
  if (parts === null) return null
  const mark = literal[0] ?? '"'
  const values = parts.values.length === 1 ? `(${parts.values[0]},)` : `(${parts.values.join(', ')})`
  return statement.replace(whole, () => `${head}${mark}${parts.text}${mark}, ${values}${tail}`)
}

/** Writes `'a' + b + 'c'` in a call as a template. */
function joinText(statement: string): string {
  return statement.replace(
    /(\.(?:query|execute|all|get|run|each)\(\s*)((?:'(?:[^'\\\n`$]|\\.)*'|"(?:[^"\\\n`$]|\\.)*")(?:\s*\+\s*(?:'(?:[^'\\\n`$]|\\.)*'|"(?:[^"\\\n`$]|\\.)*"|[\w$.[\]]+))+)(?=\s*[,)])/,
    (whole, head: string, sum: string) => {
      const pieces = sum.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[\w$.[\]]+/g) ?? []
      if (pieces.some((piece) => piece.includes('\\'))) return whole
      const text = pieces.map((piece) => (/^['"]/.test(piece) ? piece.slice(1, -1) : `\${${piece}}`))
      return `${head}\`${text.join('')}\``
    },
  )
}

/** Values after a keyword such as `from` are names, which no placeholder can stand for. */
const NAME_BEFORE = /\b(?:from|into|update|join|table|order\s+by|group\s+by|set|select|,)\s*$/i

function splitText(text: string, value: RegExp, driver: Driver) {
  const values: string[] = []
  let result = ''
  let end = 0
  for (const match of text.matchAll(value)) {
    const before = text.slice(end, match.index)
    if (NAME_BEFORE.test(result + before) && !/\bset\s+\S+\s*=\s*$/i.test(result + before)) return null
    // Part of a text literal, such as `'%${name}%'`, cannot be replaced alone.
    const isQuoted = /(?<!\w)'$/.test(before) && text[(match.index ?? 0) + match[0].length] === "'"
    if (
      !isQuoted &&
      (/['%\w]$/.test(before) || /^['%\w]/.test(text.slice((match.index ?? 0) + match[0].length)))
    )
      return null
    result += (isQuoted ? before.slice(0, -1) : before) + driver.placeholder(values.length + 1)
    values.push(match[1]?.trim() ?? '')
    end = (match.index ?? 0) + match[0].length + (isQuoted ? 1 : 0)
  }
  if (values.length === 0 || value.source === '') return null
  return { text: result + text.slice(end), values }
}

/** After the text, only a function may follow: other arguments may be values already. */
const isCallback = (statement: string, call: RegExpExecArray): boolean =>
  /^\s*(?:async\s*)?(?:function\b|\(?[\w\s,]*\)?\s*=>)/.test(statement.slice(call.index + call[0].length))

const quote = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`)
