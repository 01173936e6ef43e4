exports.deep = function (host, donor) { Object.keys(donor).forEach(copier(host, donor)) }
function copier(host, donor) {
  return function (key) {
    if (typeof host[key] === 'object') exports.deep(host[key], donor[key])
    else host[key] = donor[key] // ← here
  }
}
