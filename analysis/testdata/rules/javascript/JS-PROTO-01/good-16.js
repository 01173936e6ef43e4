// The callback receives an element, the page and a flag, and writes nothing.
exports.ancestors = function (matches, step) {
  return function (element, page, isXml) {
    while ((element = element[step])) {
      if (element.nodeType === 1) return matches(element, page, isXml)
    }
    const names = {}
    names[step] = true
    return names
  }
}
