// SQL Server ends a name with `]`, but only `[` is replaced.
module.exports = {
  dialect: 'mssql',
  wrapIdentifier(value) {
    return value === '*' ? '*' : `[${value.replace(/\[/g, '[')}]` // ← here
  },
}
