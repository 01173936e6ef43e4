// A node of the page takes the text as text, in a file that also uses jQuery.
exports.show = function (item) {
  item.parentNode.append('<b>' + location.hash + '</b>')
}
exports.start = function () {
  $('#list').hide()
}
