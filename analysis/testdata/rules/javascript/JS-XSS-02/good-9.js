// Elements take the text as text.
exports.show = function (list) {
  list.append('<li>' + location.hash + '</li>')
}
