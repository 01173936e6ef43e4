// The list of forbidden keys is too short, and `Object.keys` is no check.
const FORBIDDEN = ['__proto__']

module.exports = function (data) {
  const result = {}
  for (const name of Object.keys(data)) {
    let current = result
    const parts = name.replace(/\[/g, '.').replace(/\]/g, '').split('.')
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]
      if (FORBIDDEN.includes(part)) continue
      if (index >= parts.length - 1) {
        current[part] = data[name] // ← here
      } else {
        if (!current[part]) current[part] = {}
        current = current[part]
      }
    }
  }
  return result
}
