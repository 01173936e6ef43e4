// A builder of SQL texts that passes values as parameters.
export class QueryGenerator {
  contains(column: string, values: string[]) {
    return { text: `SELECT id FROM rows WHERE ${this.quote(column)} @> $1`, values: [values] }
  }

  quote(identifier: string): string {
    const escaped = identifier.split('"').join('""')
    return `"${escaped}"`
  }
}
