export class PostgresDialect {
  escapeName(name: string): string {
    return `"${name.replace(/"/g, '""')}"`
  }

  select(table: string): string {
    return `SELECT * FROM ${this.escapeName(table)}`
  }
}
