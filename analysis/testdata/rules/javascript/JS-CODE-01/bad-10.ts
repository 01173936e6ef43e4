exports.named = function (work) {
  const options = ['a', 'b'].map((each) => 'let ' + each).join()
  return eval('(function ' + work.name + '() {' + options + ';' + options + ';' + options + '})') // ← here
}
