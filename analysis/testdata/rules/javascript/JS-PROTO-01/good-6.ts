exports.fill = function (list, value) {
  for (var i = 0; i < list.length; i++) list[i] = value
  return list
}
