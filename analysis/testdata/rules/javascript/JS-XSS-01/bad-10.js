// The address of the link is captured from the text.
exports.linkify = function (markdown) {
  return markdown.replace(/\[([^\]]*)\]\(([^)]*)\)/g, '<a href="$2">$1</a>') // ← here
}
