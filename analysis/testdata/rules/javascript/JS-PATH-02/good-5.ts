const yauzl = require('yauzl'), path = require('path'), store = require('./store')
exports.extract = (zip, folder) => {
  zip.on('entry', (entry) => {
    const target = path.join(folder, entry.fileName)
    if (path.relative(folder, target).startsWith('..')) return
    zip.openReadStream(entry, (error, stream) => store.save(stream, target))
  })
}
