// Parts of a statement that are collected.
export class Filter {
  readonly sql: string[] = ['SELECT * FROM rows WHERE 1 = 1']

  named(value: string) {
    this.sql.push(` AND label = '${value}'`) // ← here
    return this
  }

  like(value: string) {
    const part = ` AND label LIKE '%${value}%'` // ← here
    this.sql.push(part)
  }

  build(value: string) {
    return new ParameterizedSQL(`SELECT id FROM rows WHERE label = '${value}'`) // ← here
  }
}
