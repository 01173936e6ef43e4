const fstream = require('fstream'), path = require('path'), tar = require('tar')
exports.unpack = (source, folder) => {
  source.pipe(new tar.Parse()).on('entry', (entry) => {
    entry.pipe(fstream.Writer({ path: path.join(folder, entry.path) })) // ← here
  })
}
