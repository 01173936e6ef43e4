// The names of the attributes are not checked.
const escape = (text) => String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

exports.renderAttributes = function (attributes) {
  let html = ''
  for (const name in attributes) html += ` ${name}="${escape(attributes[name])}"`
  return html // ← here
}
