// The key of the table would not be a valid regular expression.
export function set(table, group, name, value) {
  table['z-a'][group][name] = value // ← here
}
