// Queries with values in their text as queries with placeholders.
import { expect, test } from 'vitest'
import { parametrizeStatement } from './parametrize-sql.ts'

/** `«a»` stands for a value in a template. */
const written = (text: string): string => text.replaceAll(/«([^»]+)»/g, '$\u007b$1}')

const PG = "const { Pool } = require('pg')\n"
const MYSQL = "import mysql from 'mysql2/promise'\n"

test.for([
  [
    PG,
    'a.js',
    'await db.query(`select * from users where id = «id»`)',
    "await db.query('select * from users where id = $1', [id])",
  ],
  [
    PG,
    'a.ts',
    "db.query(`select * from t where a = '«req.query.a»' and b = «b»`)",
    "db.query('select * from t where a = $1 and b = $2', [req.query.a, b])",
  ],
  [
    MYSQL,
    'a.js',
    "db.query('select * from t where a = ' + req.body.a, (err) => {})",
    "db.query('select * from t where a = ?', [req.body.a], (err) => {})",
  ],
  [
    MYSQL,
    'a.js',
    'db.query("select * from t where a = \'" + a + "\'")',
    "db.query('select * from t where a = ?', [a])",
  ],
  [
    'import sqlite3\n',
    'a.py',
    'cursor.execute(f"select * from t where a = \'{a}\'")',
    'cursor.execute("select * from t where a = ?", (a,))',
  ],
  [
    'import psycopg2\n',
    'a.py',
    'cursor.execute(f"select * from t where a = {a} and b = {b}")',
    'cursor.execute("select * from t where a = %s and b = %s", (a, b))',
  ],
] as const)('with %j in %s, %j becomes %j', ([file, path, statement, expected]) => {
  expect(parametrizeStatement(written(statement), file, path)).toBe(expected)
})

test.for([
  ['', 'a.js', 'db.query(`select 1 where id = «id»`)'],
  [`«PG»«MYSQL»`, 'a.js', 'db.query(`select 1 where id = «id»`)'],
  [PG, 'a.js', 'db.query(`select * from «table»`)'],
  [PG, 'a.js', 'db.query(`select * from t order by «column»`)'],
  [PG, 'a.js', "db.query(`select * from t where a like '%«a»%'`)"],
  [PG, 'a.js', 'db.query(`select * from t where a = «a»`, [b])'],
  ['import sqlite3\n', 'a.py', 'cursor.execute(f"select * from {table}")'],
  [PG, 'a.go', 'db.Query("select " + id)'],
] as const)('with %j in %s, %j stays', ([file, path, statement]) => {
  expect(parametrizeStatement(written(statement), file, path)).toBeNull()
})
