// The path of a JSON column is a key of the filter, which a client may choose.
export class QueryGenerator {
  jsonPathQuery(column: string, path: string): string {
    return `(${this.quoteIdentifier(column)}->>'${path}')` // ← here
  }

  quoteIdentifier(identifier: string): string {
    return '`' + identifier.replace(/`/g, '``') + '`'
  }

  limit = 'SELECT * FROM rows WHERE id = ?'
}
