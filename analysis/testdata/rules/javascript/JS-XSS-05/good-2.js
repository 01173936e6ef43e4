// Every character is replaced by one pattern or with `replaceAll`.
const ENTITIES = { '<': '&lt;', '>': '&gt;', '"': '&quot;', '&': '&amp;' }
exports.escape = (text) => text.replace(/[&<>"]/g, (found) => ENTITIES[found])
exports.escapeTag = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
