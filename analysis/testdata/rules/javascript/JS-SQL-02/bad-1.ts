// A dialect wraps the name of a column without doubling the quotes in it.
export class PostgresDialect {
  escapeName(name: string): string {
    return `"${name}"` // ← here
  }

  select(table: string, columns: string[]): string {
    return `SELECT ${columns.map((each) => this.escapeName(each)).join(', ')} FROM ${this.escapeName(table)}`
  }
}
