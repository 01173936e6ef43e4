exports.template = function (text, settings) {
  return new Function(settings.variable || 'it', 'return "' + text + '"')
}
