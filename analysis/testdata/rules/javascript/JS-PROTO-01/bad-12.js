// A table with two levels: `register('__proto__', name, value)` reaches the prototype.
const handlers = {}

exports.register = function (type, name, handler) {
  handlers[type][name] = handler // ← here
}
