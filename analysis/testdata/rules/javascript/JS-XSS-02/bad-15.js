// The caller passes a jQuery object.
exports.show = function (list) {
  list.append('<li>' + location.hash + '</li>') // ← here
}
exports.start = function () {
  $('#other').hide()
}
