const { Pool } = require('pg')

class SessionStore {
  constructor(options) {
    this.table = options.table
    this.pool = new Pool(options)
  }

  quotedTable() {
    const quoted = '"' + this.table + '"' // ← here
    return quoted
  }

  prune() {
    return this.pool.query('DELETE FROM ' + this.quotedTable() + ' WHERE expire < now()')
  }
}

module.exports = SessionStore
